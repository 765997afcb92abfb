//! The page in the browser, as the program begins and ends it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::environment::TestEnvironment;

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks over the wire, and gives the whole answer.
fn ask(port: &str, path: &str, more: &str) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
#[cfg(unix)]
fn it_tells_its_address_serves_and_leaves_nothing_behind() {
    let environment = TestEnvironment::new();
    let mut server = Server(environment.start("--sample serve --no-open"));
    let mut out = BufReader::new(server.0.stdout.take().unwrap());
    let mut address = String::new();
    out.read_line(&mut address).unwrap();
    let rest = address.trim().strip_prefix("http://127.0.0.1:").unwrap();
    let (port, token) = rest.split_once("/?token=").unwrap();
    assert_eq!(token.len(), 48, "{address}");

    assert!(ask(port, "/", "").starts_with("HTTP/1.1 401 "));
    let introduced = ask(port, &format!("/?token={token}"), "");
    assert!(introduced.starts_with("HTTP/1.1 303 "), "{introduced}");
    let cookie = introduced.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let list = ask(port, "/api/sessions", &format!("Cookie: {cookie}\r\n"));
    assert!(list.starts_with("HTTP/1.1 200 "), "{list}");
    assert!(list.contains("Fix cart totals that are off by a cent"), "{list}");

    let id = server.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let begun = Instant::now();
    let ended = loop {
        if let Some(ended) = server.0.try_wait().unwrap() {
            break ended;
        }
        assert!(begun.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(ended.success(), "{ended}");
    // Sample stores and caches of one run go with it.
    let left: Vec<_> = std::fs::read_dir(environment.home()).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_port_that_is_taken_is_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let ran = TestEnvironment::new().run(&format!("--sample serve --no-open --port {port}"));
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert!(
        ran.stderr.starts_with(&format!("error: cannot serve on port {port}: ")),
        "{}",
        ran.stderr
    );
}
