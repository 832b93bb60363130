//! `vivant label`: the studio's label view, and its server.
//!
//! The page draws and moves points. This module is the HTTP API for the library's [`LabelSession`].

mod page;
mod routes;

use crate::args::label::Label;
use crate::fault::{Fault, Result};
use crate::report::{self, Progress};
use crate::serve::answer::Refused;
use crate::serve::guard::{self, AccessGuard};
use crate::serve::studio::Studio;
use crate::serve::{CLOSE_TIMEOUT, cannot_listen, here, interrupted, open};
use axum::{Router, middleware};
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::ops::Deref;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use vivant_host::label::{LabelSession, Options};

pub(crate) fn run(args: &Label) -> Result<ExitCode> {
    let access = AccessGuard::new(args.listen, args.token.clone(), &[])?;
    let view = Arc::new(View { desk: desk(args)?, studio: Studio::new(args.studio.clone()) });
    let looking = Arc::clone(&view);
    // For a long film this may take a minute. Users can already label frames during this time. The thread ends with
    // the program.
    std::thread::spawn(move || looking.reel.sample_frames());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|e| {
        Fault::new(format!("cannot start the event loop: {e}; close other programs and try again"))
    })?;
    let served = runtime.block_on(serve(args, Arc::new(access), view));
    // Do not wait for a model that is still being trained.
    runtime.shutdown_timeout(Duration::from_millis(200));
    served.map(|()| ExitCode::SUCCESS)
}

/// State shared by all requests.
struct View {
    desk: LabelSession,
    studio: Studio,
}

impl Deref for View {
    type Target = LabelSession;

    fn deref(&self) -> &LabelSession {
        &self.desk
    }
}

fn desk(args: &Label) -> Result<LabelSession> {
    let (film, labels, import) = (args.film.clone(), args.output.clone(), args.import.clone());
    let options = Options { film, labels, import, seed: args.seed };
    let (mut warnings, mut progress) = (Vec::new(), None);
    let desk = LabelSession::open(&options, &mut warnings, &mut |done, of| {
        progress.get_or_insert_with(|| Progress::bar("reading the video", of)).at(done);
    });
    drop(progress);
    report::warnings(&warnings);
    desk
}

async fn serve(args: &Label, access: Arc<AccessGuard>, view: Arc<View>) -> Result<()> {
    let listener = TcpListener::bind(args.listen).await.map_err(|e| cannot_listen(args.listen, &e))?;
    let address = listener.local_addr().unwrap_or(args.listen);
    announce(args, address, &view);
    let server = axum::serve(listener, router(view, access)).with_graceful_shutdown(interrupted());
    tokio::select! {
        served = server => served.map_err(|e| Fault::new(format!("the server stopped: {e}; start it again"))),
        () = async { interrupted().await; tokio::time::sleep(CLOSE_TIMEOUT).await } => Ok(()),
    }
}

fn router(view: Arc<View>, access: Arc<AccessGuard>) -> Router {
    Router::new()
        .merge(page::routes())
        .merge(routes::routes())
        .fallback(async || Refused::not_found("there is no such address; the label view is at /label"))
        .method_not_allowed_fallback(async || {
            Refused(
                axum::http::StatusCode::METHOD_NOT_ALLOWED,
                "this address does not accept that method".into(),
            )
        })
        .layer(middleware::from_fn_with_state(access, guard::check_access))
        .with_state(view)
}

fn announce(args: &Label, address: SocketAddr, desk: &LabelSession) {
    let labels = desk.store.path().display().to_string();
    if args.json {
        let url = format!("http://{address}");
        return report::json_line(&serde_json::json!({ "listening": url, "labels": labels }));
    }
    let here = here(address);
    let token = args.token.as_ref().map_or("/label".into(), |token| format!("/?token={token}"));
    report::line(&format!("Label {} on {here}{token}  (Ctrl-C ends it)", desk.reel.name));
    report::line(&format!("Labels are saved in {labels}"));
    if !args.no_open && std::io::stdout().is_terminal() {
        open(&format!("{here}{token}"));
    }
}
