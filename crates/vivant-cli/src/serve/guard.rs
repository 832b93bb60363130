//! Who may connect: this computer, and pages that this server gave out.
//!
//! A page from elsewhere can make a browser send requests to 127.0.0.1. It cannot forge the `Host`
//! and `Origin` headers, so they tell.

use crate::fault::{Fault, Result};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};

/// Refuses addresses that other computers can reach.
pub(super) fn loopback_only(address: SocketAddr) -> Result<()> {
    if address.ip().is_loopback() {
        return Ok(());
    }
    Err(Fault::new(format!(
        "{address}: other computers could connect, and there is no password yet; \
         listen on 127.0.0.1:{} and forward the port if you need it elsewhere (ssh -L)",
        address.port()
    )))
}

/// Answers only requests to a loopback name: a name that was made to point here (DNS rebinding) is
/// turned away.
pub(super) async fn known_host(request: Request, next: Next) -> Response {
    let host = text(request.headers(), header::HOST).unwrap_or_default();
    if !is_loopback(host) {
        let message = "open this page as http://127.0.0.1 or http://localhost\n";
        return (StatusCode::MISDIRECTED_REQUEST, message).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, axum::http::HeaderValue::from_static("nosniff"));
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        axum::http::HeaderValue::from_static("same-origin"),
    );
    response
}

/// Whether a browser says that its page came from here. Programs send no origin, and may connect.
pub(super) fn same_origin(headers: &HeaderMap) -> bool {
    match (headers.get(header::ORIGIN), text(headers, header::HOST)) {
        (None, _) => true,
        (Some(origin), Some(host)) => {
            origin.to_str().ok().and_then(|o| o.strip_prefix("http://")) == Some(host)
        }
        (Some(_), None) => false,
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Whether `host[:port]` is this computer.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_computer_is_known() {
        for (host, known) in [
            ("127.0.0.1:7878", true),
            ("localhost:7878", true),
            ("LocalHost", true),
            ("[::1]:80", true),
            ("127.0.0.1", true),
            ("evil.example:7878", false),
            ("127.0.0.1.evil.example", false),
            ("localhost.evil.example:7878", false),
            ("192.168.1.2:7878", false),
            ("", false),
        ] {
            assert_eq!(is_loopback(host), known, "{host}");
        }
    }

    #[test]
    fn a_page_from_elsewhere_may_not_watch() {
        let check = |origin: Option<&str>, expected: bool| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, "127.0.0.1:7878".parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().unwrap());
            }
            assert_eq!(same_origin(&headers), expected, "{origin:?}");
        };
        check(None, true);
        check(Some("http://127.0.0.1:7878"), true);
        check(Some("http://127.0.0.1:9999"), false);
        check(Some("https://evil.example"), false);
        check(Some("null"), false);
    }

    #[test]
    fn an_address_that_others_reach_is_refused() {
        assert!(loopback_only("127.0.0.1:1".parse().unwrap()).is_ok());
        assert!(loopback_only("[::1]:1".parse().unwrap()).is_ok());
        let fault = loopback_only("0.0.0.0:7878".parse().unwrap()).unwrap_err().to_string();
        assert!(fault.contains("127.0.0.1:7878"), "{fault}");
    }
}
