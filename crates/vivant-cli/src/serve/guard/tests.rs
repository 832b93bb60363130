use super::*;

const OPEN: &str = "127.0.0.1:7878";

fn access(address: &str, token: Option<&str>, names: &[&str]) -> AccessGuard {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    AccessGuard::new(address.parse().unwrap(), token.map(str::to_owned), &names).unwrap()
}

/// Returns the status of a refused request; 200 if it is accepted. Each header is `Name: value`.
fn status(access: &AccessGuard, method: &str, path: &str, lines: &[&str]) -> u16 {
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap();
        headers.append(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
    }
    let method = method.parse().unwrap();
    match access.admit(&method, &path.parse().unwrap(), &headers) {
        Ok(()) => 200,
        Err(Refused(status, message)) => {
            assert!(message.len() > 20, "{message}");
            status.as_u16()
        }
    }
}

#[test]
fn only_names_of_this_computer_are_known() {
    let here = access(OPEN, None, &[]);
    let beyond = access("192.168.1.2:7878", Some("t"), &["Studio.local"]);
    for (host, at_home, from_beyond) in [
        ("127.0.0.1:7878", 200, 200),
        ("localhost:7878", 200, 200),
        ("LocalHost", 200, 200),
        ("[::1]:80", 200, 200),
        ("127.0.0.1", 200, 200),
        ("192.168.1.2:7878", 421, 200),
        ("10.1.1.1:7878", 421, 200),
        ("[fe80::1]:7878", 421, 200),
        ("studio.local:7878", 421, 200),
        ("evil.example:7878", 421, 421),
        ("127.0.0.1.evil.example", 421, 421),
        ("localhost.evil.example:7878", 421, 421),
        ("", 421, 421),
    ] {
        let host = format!("Host: {host}");
        assert_eq!(status(&here, "GET", "/", &[&host]), at_home, "{host} on loopback");
        assert_eq!(status(&beyond, "GET", "/?token=t", &[&host]), from_beyond, "{host} on a public address");
    }
}

#[test]
fn a_page_of_another_site_cannot_connect_or_change_anything() {
    let access = access(OPEN, None, &[]);
    let host = "Host: 127.0.0.1:7878";
    for (origin, expected) in [
        (None, 200),
        (Some("http://127.0.0.1:7878"), 200),
        (Some("https://127.0.0.1:7878"), 200),
        (Some("http://127.0.0.1:9999"), 403),
        (Some("http://localhost:7878"), 403),
        (Some("https://evil.example"), 403),
        (Some("null"), 403),
        (Some(""), 403),
    ] {
        let origin = origin.map(|origin| format!("Origin: {origin}"));
        let lines: Vec<&str> = [host].into_iter().chain(origin.as_deref()).collect();
        let upgrade: Vec<&str> = lines.iter().copied().chain(["Upgrade: websocket"]).collect();
        assert_eq!(status(&access, "GET", "/live", &upgrade), expected, "socket, {origin:?}");
        for method in ["POST", "PUT", "DELETE"] {
            assert_eq!(status(&access, method, "/api/characters", &lines), expected, "{method}, {origin:?}");
        }
        // A browser does not show the response to a page of another server.
        assert_eq!(status(&access, "GET", "/api", &lines), 200, "{origin:?}");
    }
}

#[test]
fn a_token_is_accepted_in_three_ways() {
    let access = access("0.0.0.0:7878", Some("sword-fish"), &[]);
    for (path, line, expected) in [
        ("/", "Accept: */*", 401),
        ("/?token=sword-fish", "Accept: */*", 200),
        ("/api?x=1&token=sword-fish", "Accept: */*", 200),
        ("/?token=", "Accept: */*", 401),
        ("/?token=sword-fis", "Accept: */*", 401),
        ("/?token=sword-fishy", "Accept: */*", 401),
        ("/", "Authorization: Bearer sword-fish", 200),
        ("/", "Authorization: Bearer nope", 401),
        ("/", "Authorization: Basic sword-fish", 401),
        ("/", "Cookie: a=b; vivant-token=sword-fish", 200),
        ("/", "Cookie: vivant-token=nope", 401),
        ("/", "Cookie: xvivant-token=sword-fish", 401),
    ] {
        assert_eq!(status(&access, "GET", path, &["Host: 127.0.0.1", line]), expected, "{path}, {line}");
    }
    let cookie = |path: &str| access.cookie(&path.parse().unwrap());
    let set = cookie("/?token=sword-fish").unwrap();
    assert_eq!(set, "vivant-token=sword-fish; Path=/; HttpOnly; SameSite=Strict");
    assert_eq!(cookie("/"), None);
    assert_eq!(cookie("/api?token=sword-fish"), None);
}

#[test]
fn paths_that_leave_the_served_folder_are_refused() {
    let access = access(OPEN, None, &[]);
    for (path, expected) in [
        ("/api/characters/builtin", 200),
        ("/api/performers/main/export.vrma?from=0", 200),
        ("/api/performers/a.b", 200),
        ("/../etc/passwd", 404),
        ("/api/characters/..", 404),
        ("/api/characters/%2e%2e/x", 404),
        ("/api/characters/.%2E/x", 404),
        ("/api/characters/..%2fx", 404),
        ("/api/characters/a%5C..%5Cb", 404),
        ("/api/characters/%252e%252e", 404),
        ("/api/characters/a%00", 404),
        ("//etc/passwd", 404),
    ] {
        let path = if path.starts_with("//") { format!("http://127.0.0.1{path}") } else { path.to_owned() };
        assert_eq!(status(&access, "GET", &path, &["Host: 127.0.0.1:7878"]), expected, "{path}");
    }
}

#[test]
fn an_address_that_other_computers_reach_needs_a_token() {
    let open = |address: &str, token: Option<&str>| {
        AccessGuard::new(address.parse().unwrap(), token.map(str::to_owned), &[])
    };
    for address in ["127.0.0.1:1", "[::1]:1"] {
        assert!(open(address, None).is_ok(), "{address}");
    }
    for address in ["0.0.0.0:7878", "192.168.1.2:7878", "[::]:7878"] {
        assert!(open(address, Some("t")).is_ok(), "{address}");
        let fault = open(address, None).unwrap_err().to_string();
        assert!(fault.contains("--token") && fault.contains("127.0.0.1:7878"), "{fault}");
    }
}
