//! Access control of the server.
//!
//! Without a token, only this computer may connect. A web page of another site can make a browser send requests to
//! 127.0.0.1, but the page cannot forge the headers `Host` and `Origin`. Therefore these headers are checked. If a
//! foreign name resolves to this computer (DNS rebinding), it is rejected, since it is not one of the known names.

use super::answer::Refused;
use crate::fault::{Fault, Result};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The cookie that stores the token in the browser.
const COOKIE: &str = "vivant-token";

/// The conditions under which a request is accepted.
#[derive(Debug)]
pub(crate) struct AccessGuard {
    token: Option<String>,
    /// The address that the server listens on, if other computers can reach it.
    beyond: Option<IpAddr>,
    /// Accepted host names of this computer, in lower case.
    names: Vec<String>,
}

impl AccessGuard {
    /// Creates the access control for an address.
    ///
    /// # Errors
    /// Returns an error if other computers can reach the address, but there is no token.
    pub(crate) fn new(address: SocketAddr, token: Option<String>, names: &[String]) -> Result<Self> {
        let beyond = (!address.ip().is_loopback()).then(|| address.ip());
        if beyond.is_some() && token.is_none() {
            return Err(Fault::new(format!(
                "{address}: other computers could connect; set an access token, as in \
                 --token swordfish, or listen on 127.0.0.1:{} for this computer alone",
                address.port()
            )));
        }
        Ok(Self { token, beyond, names: names.iter().map(|name| name.to_ascii_lowercase()).collect() })
    }

    /// Accepts a request, or returns the reason why the request is refused.
    fn admit(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> std::result::Result<(), Refused> {
        let host = text(headers, header::HOST).unwrap_or_default();
        if !self.knows(host) {
            return Err(Refused(StatusCode::MISDIRECTED_REQUEST, self.way_here()));
        }
        let is_read = matches!(*method, Method::GET | Method::HEAD);
        let is_socket = headers.contains_key(header::UPGRADE);
        if (is_socket || !is_read) && !is_same_origin(headers, host) {
            let message = "this request comes from a page of another server; open the studio \
                           itself, or send no Origin header";
            return Err(Refused(StatusCode::FORBIDDEN, message.into()));
        }
        if !self.has_token(uri, headers) {
            let message = "a token is needed: open /?token=… in the browser, or send the header \
                           `Authorization: Bearer …` with the value of --token";
            return Err(Refused(StatusCode::UNAUTHORIZED, message.into()));
        }
        if is_path_traversal(uri.path()) {
            return Err(Refused::not_found("there is no such address"));
        }
        Ok(())
    }

    /// Returns true if `host[:port]` is a name of this computer.
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
        // All values are compared, so that the run time does not reveal which one matched.
        given.into_iter().flatten().fold(false, |is, word| is | is_equal(word, token))
    }

    /// Returns the cookie for a browser that opens the page with the token in the address.
    fn cookie(&self, uri: &Uri) -> Option<HeaderValue> {
        let token = self.token.as_ref().filter(|_| uri.path() == "/")?;
        asked(uri)?;
        HeaderValue::from_str(&format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict")).ok()
    }
}

/// Checks every request, and adds security headers to the responses.
pub(crate) async fn check_access(
    State(access): State<Arc<AccessGuard>>,
    request: Request,
    next: Next,
) -> Response {
    let (uri, admitted) = (request.uri().clone(), {
        let (method, headers) = (request.method(), request.headers());
        access.admit(method, request.uri(), headers)
    });
    let mut response = match admitted {
        Ok(()) => errors_as_json(next.run(request).await).await,
        Err(refused) => return refused.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        // The URL may contain the token.
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(cookie) = access.cookie(&uri) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Converts plain-text errors of the web framework to JSON, for example the error for an invalid number.
async fn errors_as_json(response: Response) -> Response {
    const MAX_BYTES: usize = 4096;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_success = !status.is_client_error() && !status.is_server_error();
    if is_success || kind.is_some_and(|kind| kind.starts_with("application/json")) {
        return response;
    }
    let body = axum::body::to_bytes(response.into_body(), MAX_BYTES).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&body);
    let message = if text.is_empty() { status.canonical_reason().unwrap_or_default() } else { text.trim() };
    Refused(status, message.to_owned()).into_response()
}

/// Returns true if the request comes from a page of this server. Requests of other programs have no origin and are
/// accepted.
fn is_same_origin(headers: &HeaderMap, host: &str) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let origin = origin.to_str().unwrap_or_default();
    let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    from.is_some_and(|from| from.eq_ignore_ascii_case(host))
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Removes the port and brackets of a host.
fn bare(host: &str) -> &str {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name)
}

/// Returns the token in a URL.
fn asked(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// Compares two strings in a time that depends only on their lengths.
fn is_equal(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    // Without this, the compiler may stop the comparison at the first difference.
    std::hint::black_box(differ) == 0 && a.len() == b.len()
}

/// Returns true if a path tries to leave the served folder. Valid paths have no encoded separator and no `.` or `..`
/// part.
fn is_path_traversal(path: &str) -> bool {
    let lower = path.to_ascii_lowercase().replace("%2e", ".");
    let is_odd = ["%2f", "%5c", "%00", "\\", "//", "%25"].iter().any(|odd| lower.contains(odd));
    is_odd || lower.split('/').any(|part| part == "." || part == "..")
}

#[cfg(test)]
mod tests;
