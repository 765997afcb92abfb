//! Clients by WebSocket.

use futures_util::{SinkExt as _, StreamExt as _};
use recount_serve::connection::Shared;
use recount_serve::ws;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::support::{Home, hello, runtime};

async fn connect(
    address: std::net::SocketAddr,
    origin: Option<&str>,
) -> Result<WebSocketStream<TcpStream>, tokio_tungstenite::tungstenite::Error> {
    let mut request = format!("ws://{address}/").into_client_request().unwrap();
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().unwrap());
    }
    let stream = TcpStream::connect(address).await.unwrap();
    client_async(request, stream).await.map(|(socket, _)| socket)
}

async fn say(socket: &mut WebSocketStream<TcpStream>, message: String) -> Value {
    socket.send(Message::text(message)).await.unwrap();
    let answer = socket.next().await.unwrap().unwrap();
    serde_json::from_str(answer.to_text().unwrap()).unwrap()
}

#[test]
fn a_hundred_clients_are_served_and_foreign_pages_are_not() {
    let home = Home::samples();
    runtime().block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(ws::accept(Shared::new(home.server()), listener));
        assert!(connect(address, Some("https://evil.example")).await.is_err());
        let list = json!({"id": 1, "method": "thread/list", "params": {}}).to_string();
        let mut clients = Vec::new();
        for _ in 0..100 {
            let mut client = connect(address, Some("http://localhost:3000")).await.unwrap();
            let early = say(&mut client, list.clone()).await;
            assert_eq!(early["error"]["code"], -32600, "each client says hello for itself");
            say(&mut client, hello()).await;
            clients.push(client);
        }
        for client in &mut clients {
            let answer = say(client, list.clone()).await;
            assert!(answer["result"]["data"].as_array().is_some_and(|data| data.len() > 4));
        }
        let broken = say(&mut clients[0], "{".into()).await;
        assert_eq!(broken["error"]["code"], -32700);
    });
}
