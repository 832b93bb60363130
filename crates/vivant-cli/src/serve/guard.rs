//! Who may connect.
//!
//! Only this computer, unless there is a token. A page from elsewhere can make a browser send requests to
//! 127.0.0.1; it cannot forge the `Host` and `Origin` headers, so they tell. A name that was made to point here
//! (DNS rebinding) is not one that we know.

use super::answer::Refused;
use crate::fault::{Fault, Result};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The cookie in which a browser keeps the token.
const COOKIE: &str = "vivant-token";

/// What is asked of everyone who comes in.
#[derive(Debug)]
pub(crate) struct Door {
    token: Option<String>,
    /// Where it listens, if that is beyond this computer.
    beyond: Option<IpAddr>,
    /// Names by which this computer is known, in lower case.
    names: Vec<String>,
}

impl Door {
    /// A door at an address.
    ///
    /// # Errors
    /// If other computers can come to it, and there is no token.
    pub(crate) fn new(address: SocketAddr, token: Option<String>, names: &[String]) -> Result<Self> {
        let beyond = (!address.ip().is_loopback()).then(|| address.ip());
        if beyond.is_some() && token.is_none() {
            return Err(Fault::new(format!(
                "{address}: other computers could connect; choose a word that they must know, as in \
                 --token swordfish, or listen on 127.0.0.1:{} for this computer alone",
                address.port()
            )));
        }
        Ok(Self { token, beyond, names: names.iter().map(|name| name.to_ascii_lowercase()).collect() })
    }

    /// Lets a request in, or says why not.
    fn admit(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> std::result::Result<(), Refused> {
        let host = text(headers, header::HOST).unwrap_or_default();
        if !self.knows(host) {
            return Err(Refused(StatusCode::MISDIRECTED_REQUEST, self.way_here()));
        }
        let is_read = matches!(*method, Method::GET | Method::HEAD);
        let is_socket = headers.contains_key(header::UPGRADE);
        if (is_socket || !is_read) && !is_same_origin(headers, host) {
            let message = "this request comes from a page that this server did not give out; open the studio \
                           itself, or send no Origin header";
            return Err(Refused(StatusCode::FORBIDDEN, message.into()));
        }
        if !self.has_token(uri, headers) {
            let message = "a token is needed: open /?token=… in the browser, or send the header \
                           `Authorization: Bearer …` with what vivant was started with as --token";
            return Err(Refused(StatusCode::UNAUTHORIZED, message.into()));
        }
        if leads_astray(uri.path()) {
            return Err(Refused::not_found("there is no such address"));
        }
        Ok(())
    }

    /// Whether `host[:port]` is a name of this computer.
    fn knows(&self, host: &str) -> bool {
        let name = bare(host).to_ascii_lowercase();
        let address = name.parse::<IpAddr>().ok();
        let is_here = name == "localhost" || address.is_some_and(|ip| ip.is_loopback());
        is_here || self.beyond.is_some() && address.is_some() || self.names.contains(&name)
    }

    fn way_here(&self) -> String {
        let names = "open this page as http://127.0.0.1 or http://localhost";
        match self.beyond {
            None => names.to_owned(),
            Some(_) => format!("{names}, by this computer's address, or start vivant with --allow-host NAME"),
        }
    }

    fn has_token(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let bearer = text(headers, header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookie = cookies(headers).find_map(|(name, value)| (name == COOKIE).then_some(value));
        let given = [bearer, asked(uri), cookie];
        // Every one is looked at, so that the time it takes says nothing.
        given.into_iter().flatten().fold(false, |is, word| is | is_equal(word, token))
    }

    /// What a browser keeps when it comes to the page with the token in the address.
    fn cookie(&self, uri: &Uri) -> Option<HeaderValue> {
        let token = self.token.as_ref().filter(|_| uri.path() == "/")?;
        asked(uri)?;
        HeaderValue::from_str(&format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict")).ok()
    }
}

/// Asks everyone at the door, and tells browsers what not to do with what they get.
pub(crate) async fn ask(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    let (uri, admitted) = (request.uri().clone(), {
        let (method, headers) = (request.method(), request.headers());
        door.admit(method, request.uri(), headers)
    });
    let mut response = match admitted {
        Ok(()) => in_words(next.run(request).await).await,
        Err(refused) => return refused.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        // The token may stand in the address.
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(cookie) = door.cookie(&uri) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}

/// What the parts that we did not write refuse, such as a number that is none, is told as all else is.
async fn in_words(response: Response) -> Response {
    const MOST_BYTES: usize = 4096;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_success = !status.is_client_error() && !status.is_server_error();
    if is_success || kind.is_some_and(|kind| kind.starts_with("application/json")) {
        return response;
    }
    let body = axum::body::to_bytes(response.into_body(), MOST_BYTES).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&body);
    let message = if said.is_empty() { status.canonical_reason().unwrap_or_default() } else { said.trim() };
    Refused(status, message.to_owned()).into_response()
}

/// Whether a browser says that its page came from here. Programs send no origin, and may connect.
fn is_same_origin(headers: &HeaderMap, host: &str) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let origin = origin.to_str().unwrap_or_default();
    let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    from.is_some_and(|from| from.eq_ignore_ascii_case(host))
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// A host without its port and brackets.
fn bare(host: &str) -> &str {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name)
}

/// The token in an address.
fn asked(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// Compares in a time that depends on the lengths alone.
fn is_equal(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    // Without this the compiler may stop at the first difference.
    std::hint::black_box(differ) == 0 && a.len() == b.len()
}

/// Whether a path tries to lead out of what is served. None of ours has an encoded separator or a dot alone.
fn leads_astray(path: &str) -> bool {
    let lower = path.to_ascii_lowercase().replace("%2e", ".");
    let is_odd = ["%2f", "%5c", "%00", "\\", "//", "%25"].iter().any(|odd| lower.contains(odd));
    is_odd || lower.split('/').any(|part| part == "." || part == "..")
}

#[cfg(test)]
mod tests;
