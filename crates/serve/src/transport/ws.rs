//! Many clients, by WebSocket on this machine.
//!
//! Every web page that a person looks at can open a connection to this machine, so two things are looked at before a
//! client is let in. `Origin` tells which page asks: pages of this machine are welcome, others are not; programs send
//! none. `Host` tells by which name the page reached this machine: a foreign name that leads here is a trick by which
//! a page makes itself one of this machine.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::{HeaderMap, StatusCode, header};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::lines::LONGEST;
use crate::connection::{self, Shared};
use crate::server::Server;

/// So many clients at a time; more wait to be let in.
const CLIENTS: usize = 256;
/// How long a client may take to say who it is.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Reads the address to listen on: `ws://127.0.0.1:PORT`, of this machine only.
pub fn address(url: &str) -> Result<SocketAddr, String> {
    let expected = "expected ws://127.0.0.1:PORT";
    let place = url.strip_prefix("ws://").ok_or(expected)?;
    let place = place.strip_suffix('/').unwrap_or(place);
    let place = place
        .strip_prefix("localhost:")
        .map_or_else(|| place.to_owned(), |port| format!("127.0.0.1:{port}"));
    let address: SocketAddr = place.parse().map_err(|_| expected)?;
    if address.ip().is_loopback() {
        Ok(address)
    } else {
        Err(format!("{} is not of this machine: {expected}", address.ip()))
    }
}

/// Serves until the program ends. `ready` hears where.
pub fn serve(
    server: Server,
    address: SocketAddr,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        accept(Shared::new(server), listener).await
    })
}

/// Lets clients in.
pub async fn accept(shared: Shared, listener: TcpListener) -> io::Result<()> {
    let port = listener.local_addr()?.port();
    let room = Arc::new(Semaphore::new(CLIENTS));
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return Ok(()) };
        // One that went away before it was let in, or no more files: neither ends the server.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let shared = shared.clone();
        tokio::spawn(async move {
            let _permit = permit;
            client(shared, stream, port).await;
        });
    }
}

#[expect(clippy::result_large_err, reason = "the type is that of the handshake")]
async fn client(shared: Shared, stream: TcpStream, port: u16) {
    let config =
        WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
    let greeting = tokio_tungstenite::accept_hdr_async_with_config(
        stream,
        |request: &Request, response: Response| check(request.headers(), port, response),
        Some(config),
    );
    let Ok(Ok(socket)) = tokio::time::timeout(HANDSHAKE, greeting).await else { return };
    let (mut sink, mut source) = socket.split();
    let (out, mut waiting) = connection::queue();
    let (requests, taken) = mpsc::channel(1);
    let reading = tokio::spawn(async move {
        while let Some(Ok(message)) = source.next().await {
            let text = match message {
                Message::Text(text) => text.as_bytes().to_vec(),
                Message::Binary(bytes) => bytes.to_vec(),
                Message::Close(_) => break,
                _ => continue,
            };
            if requests.send(text).await.is_err() {
                break;
            }
        }
    });
    let writing = tokio::spawn(async move {
        while let Some(mut line) = waiting.recv().await {
            if line.last() == Some(&b'\n') {
                line.pop();
            }
            let Ok(text) = String::from_utf8(line) else { continue };
            if sink.send(Message::text(text)).await.is_err() {
                return;
            }
        }
        let _ = sink.close().await;
    });
    connection::run(shared, taken, out).await;
    reading.abort();
    let _ = writing.await;
}

#[expect(clippy::result_large_err, reason = "the type is that of the handshake")]
fn check(headers: &HeaderMap, port: u16, response: Response) -> Result<Response, ErrorResponse> {
    if is_welcome(headers, port) {
        return Ok(response);
    }
    let mut refusal =
        ErrorResponse::new(Some("only for programs and pages of this machine".into()));
    *refusal.status_mut() = StatusCode::FORBIDDEN;
    Err(refusal)
}

fn is_welcome(headers: &HeaderMap, port: u16) -> bool {
    let one = |name| {
        let mut all = headers.get_all(name).iter();
        match (all.next(), all.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
            // Two of them are a trick.
            _ => Err(()),
        }
    };
    let host = match one(header::HOST) {
        Ok(Some(host)) => is_here(host, Some(port)),
        _ => false,
    };
    let origin = match one(header::ORIGIN) {
        Ok(None) => true,
        Ok(Some(origin)) => origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"))
            .is_some_and(|place| is_here(place, None)),
        Err(()) => false,
    };
    host && origin
}

/// Whether `host:port` is a name of this machine, with this port if one is given.
pub(crate) fn is_here(place: &str, port: Option<u16>) -> bool {
    let (host, own) = match place.rsplit_once(':') {
        Some((host, own)) if !own.contains(']') => (host, Some(own)),
        _ => (place, None),
    };
    let names = ["127.0.0.1", "[::1]", "localhost"];
    let right_port = match (port, own) {
        (Some(port), Some(own)) => own.parse() == Ok(port),
        (Some(port), None) => port == 80,
        (None, Some(own)) => own.parse::<u16>().is_ok(),
        (None, None) => true,
    };
    names.iter().any(|name| host.eq_ignore_ascii_case(name)) && right_port
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_listened_on() {
        assert_eq!(address("ws://127.0.0.1:4500"), Ok(([127, 0, 0, 1], 4500).into()));
        assert_eq!(address("ws://localhost:0/"), Ok(([127, 0, 0, 1], 0).into()));
        assert!(address("ws://[::1]:4500").unwrap().ip().is_loopback());
        for wrong in [
            "ws://0.0.0.0:4500",
            "ws://192.168.0.2:1",
            "wss://127.0.0.1:1",
            "127.0.0.1:1",
            "ws://x:1",
            "",
        ] {
            address(wrong).unwrap_err();
        }
    }

    #[test]
    fn foreign_pages_are_kept_out() {
        let welcome = |host: &[&str], origin: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in host {
                headers.append(header::HOST, value.parse().unwrap());
            }
            for value in origin {
                headers.append(header::ORIGIN, value.parse().unwrap());
            }
            is_welcome(&headers, 4500)
        };
        assert!(welcome(&["127.0.0.1:4500"], &[]));
        assert!(welcome(&["LOCALHOST:4500"], &["http://localhost:3000"]));
        assert!(welcome(&["[::1]:4500"], &["https://127.0.0.1"]));
        for host in
            ["evil.example:4500", "127.0.0.1:4501", "127.0.0.1", "127.0.0.1.evil.example:4500", ""]
        {
            assert!(!welcome(&[host], &[]), "{host}");
        }
        assert!(!welcome(&[], &[]));
        assert!(!welcome(&["127.0.0.1:4500", "127.0.0.1:4500"], &[]));
        for origin in [
            "https://evil.example",
            "null",
            "file://",
            "http://localhost.evil.example",
            "http://evil.example:80",
            "http://localhost:3000/x",
            "http://127.0.0.1@evil.example",
        ] {
            assert!(!welcome(&["127.0.0.1:4500"], &[origin]), "{origin}");
        }
        let two = ["http://localhost", "https://evil.example"];
        assert!(!welcome(&["127.0.0.1:4500"], &two));
    }
}
