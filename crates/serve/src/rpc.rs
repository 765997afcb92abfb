//! JSON-RPC as Codex speaks it: one message a line, without the `jsonrpc` key.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// What a request is answered by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Id {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

/// Why a request was not fulfilled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Error {
    /// One of JSON-RPC's numbers.
    pub code: i64,
    /// What a person reads.
    pub message: String,
}

impl Error {
    /// The line is no JSON.
    pub fn parse(message: impl Into<String>) -> Self {
        Self { code: -32700, message: message.into() }
    }

    /// A request that cannot be fulfilled as things are: Codex's code for nearly everything.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self { code: -32600, message: message.into() }
    }

    /// There is no such method here.
    pub fn method(message: impl Into<String>) -> Self {
        Self { code: -32601, message: message.into() }
    }

    /// The parameters are wrong.
    pub fn params(message: impl Into<String>) -> Self {
        Self { code: -32602, message: message.into() }
    }

    /// Something failed that the client cannot mend.
    pub fn internal(message: impl Into<String>) -> Self {
        Self { code: -32603, message: message.into() }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// A message from a client.
#[derive(Debug)]
pub enum Incoming {
    /// It wants an answer.
    Request {
        /// By which it is answered.
        id: Id,
        /// What it wants.
        method: String,
        /// With what; an empty object when nothing is said.
        params: Box<RawValue>,
    },
    /// It wants none.
    Notification {
        /// What it tells.
        method: String,
    },
    /// An answer, although nothing was asked.
    Answer,
}

#[derive(Deserialize)]
struct Message {
    id: Option<Value>,
    method: Option<String>,
    params: Option<Box<RawValue>>,
}

/// Reads a message. An error comes with the id that it is answered by, where the message has a usable one.
pub fn parse(text: &[u8]) -> Result<Incoming, (Option<Id>, Error)> {
    let text = std::str::from_utf8(text)
        .map_err(|e| (None, Error::parse(format!("the message is not UTF-8: {e}"))))?;
    let message: Message = serde_json::from_str(text).map_err(|e| {
        let error = match e.classify() {
            serde_json::error::Category::Data => {
                Error::invalid_request(format!("not a request: {e}"))
            }
            _ => Error::parse(format!("the message is not JSON: {e}")),
        };
        (None, error)
    })?;
    let id = match message.id {
        None => None,
        Some(Value::String(text)) => Some(Id::Text(text)),
        Some(Value::Number(n)) if n.is_i64() => n.as_i64().map(Id::Number),
        Some(_) => {
            let error = Error::invalid_request("`id` has to be a string or a whole number");
            return Err((None, error));
        }
    };
    match (message.method, id) {
        (Some(method), Some(id)) => {
            let params = message.params.filter(|params| params.get() != "null");
            match params.map_or_else(nothing, Ok) {
                Ok(params) => Ok(Incoming::Request { id, method, params }),
                Err(e) => Err((Some(id), Error::internal(e.to_string()))),
            }
        }
        (Some(method), None) => Ok(Incoming::Notification { method }),
        (None, Some(_)) => Ok(Incoming::Answer),
        (None, None) => Err((None, Error::invalid_request("the message has no `method`"))),
    }
}

fn nothing() -> serde_json::Result<Box<RawValue>> {
    RawValue::from_string("{}".to_owned())
}

/// Reads the parameters of a method.
pub fn params<'a, T: Deserialize<'a>>(method: &str, params: &'a RawValue) -> Result<T, Error> {
    serde_json::from_str(params.get())
        .map_err(|e| Error::params(format!("wrong parameters for `{method}`: {e}")))
}

/// The answer to a request, as one line. `write` writes the result behind what is there already.
pub fn answer(id: &Id, write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>) -> Vec<u8> {
    let mut line = Vec::with_capacity(256);
    line.extend_from_slice(b"{\"id\":");
    put(&mut line, id);
    line.extend_from_slice(b",\"result\":");
    match write(&mut line) {
        Ok(()) => {
            line.extend_from_slice(b"}\n");
            line
        }
        Err(error) => refusal(Some(id), &error),
    }
}

/// The answer to a request that failed, as one line. A message whose id could not be read is answered with `null`.
pub fn refusal(id: Option<&Id>, error: &Error) -> Vec<u8> {
    let mut line = b"{\"id\":".to_vec();
    put(&mut line, &id);
    line.extend_from_slice(b",\"error\":");
    put(&mut line, error);
    line.extend_from_slice(b"}\n");
    line
}

/// A notification, as one line.
pub fn notification(method: &str, params: &impl Serialize) -> Vec<u8> {
    let mut line = b"{\"method\":".to_vec();
    put(&mut line, &method);
    line.extend_from_slice(b",\"params\":");
    put(&mut line, params);
    line.extend_from_slice(b"}\n");
    line
}

/// Writes a result. Memory is all that can fail, and that ends the program.
pub fn put(out: &mut Vec<u8>, value: &impl Serialize) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> (Option<Id>, i64) {
        let (id, error) = parse(text.as_bytes()).unwrap_err();
        (id, error.code)
    }

    #[test]
    fn messages_are_told_apart() {
        let Incoming::Request { id, method, params } =
            parse(br#"{"id":"a","method":"x","params":{"k":1}}"#).unwrap()
        else {
            panic!("a request")
        };
        assert_eq!((id, method.as_str(), params.get()), (Id::Text("a".into()), "x", r#"{"k":1}"#));
        let Incoming::Request { params, .. } =
            parse(br#"{"jsonrpc":"2.0","id":-7,"method":"x","params":null}"#).unwrap()
        else {
            panic!("a request")
        };
        assert_eq!(params.get(), "{}");
        assert!(matches!(parse(br#"{"method":"x"}"#), Ok(Incoming::Notification { .. })));
        assert!(matches!(parse(br#"{"id":1,"result":{}}"#), Ok(Incoming::Answer)));
    }

    #[test]
    fn what_is_no_message_has_the_right_code() {
        assert_eq!(code("{"), (None, -32700));
        assert_eq!(code("nonsense"), (None, -32700));
        assert_eq!(code("[]"), (None, -32600));
        assert_eq!(code("5"), (None, -32600));
        assert_eq!(code("{}"), (None, -32600));
        assert_eq!(code(r#"{"id":1.5,"method":"x"}"#), (None, -32600));
        assert_eq!(code(r#"{"id":{},"method":"x"}"#), (None, -32600));
        assert_eq!(code(r#"{"id":1,"method":5}"#), (None, -32600));
        assert!(parse(b"\xff").is_err());
    }

    #[test]
    fn an_answer_that_fails_half_way_is_an_error_and_nothing_else() {
        let line = answer(&Id::Number(3), |out| {
            out.extend_from_slice(b"{\"half");
            Err(Error::internal("no"))
        });
        assert_eq!(
            String::from_utf8(line).unwrap(),
            "{\"id\":3,\"error\":{\"code\":-32603,\"message\":\"no\"}}\n"
        );
    }
}
