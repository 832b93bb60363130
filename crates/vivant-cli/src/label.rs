//! `vivant label`: the studio's label view, and the server behind it.
//!
//! The page draws and drags; this is the HTTP API over the library's [`Desk`].

mod page;
mod routes;

use crate::args::label::Label;
use crate::fault::{Fault, Result};
use crate::report::{self, Progress};
use crate::serve::answer::Refused;
use crate::serve::guard::{self, Door};
use crate::serve::studio::Studio;
use crate::serve::{FAREWELL, cannot_listen, here, interrupted, open};
use axum::{Router, middleware};
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::ops::Deref;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use vivant_host::label::{Desk, Options};

pub(crate) fn run(args: &Label) -> Result<ExitCode> {
    let door = Door::new(args.listen, args.token.clone(), &[])?;
    let view = Arc::new(View { desk: desk(args)?, studio: Studio::new(args.studio.clone()) });
    let looking = Arc::clone(&view);
    // Of a long film: it may take a minute, in which the first frames are labelled. It ends with the program.
    std::thread::spawn(move || looking.reel.look_about());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Fault::new(format!("no event loop could be started: {e}")))?;
    let served = runtime.block_on(serve(args, Arc::new(door), view));
    // A model that is being built does not hold up the end.
    runtime.shutdown_timeout(Duration::from_millis(200));
    served.map(|()| ExitCode::SUCCESS)
}

/// What all requests share.
struct View {
    desk: Desk,
    studio: Studio,
}

impl Deref for View {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

fn desk(args: &Label) -> Result<Desk> {
    let (film, labels, import) = (args.film.clone(), args.output.clone(), args.import.clone());
    let options = Options { film, labels, import, seed: args.seed };
    let (mut warnings, mut progress) = (Vec::new(), None);
    let desk = Desk::open(&options, &mut warnings, &mut |done, of| {
        progress.get_or_insert_with(|| Progress::bar("Looking through the film", of)).at(done);
    });
    drop(progress);
    report::warnings(&warnings);
    desk
}

async fn serve(args: &Label, door: Arc<Door>, view: Arc<View>) -> Result<()> {
    let listener = TcpListener::bind(args.listen).await.map_err(|e| cannot_listen(args.listen, &e))?;
    let address = listener.local_addr().unwrap_or(args.listen);
    announce(args, address, &view);
    let server = axum::serve(listener, router(view, door)).with_graceful_shutdown(interrupted());
    tokio::select! {
        served = server => served.map_err(|e| Fault::new(format!("the server stopped: {e}"))),
        () = async { interrupted().await; tokio::time::sleep(FAREWELL).await } => Ok(()),
    }
}

fn router(view: Arc<View>, door: Arc<Door>) -> Router {
    Router::new()
        .merge(page::routes())
        .merge(routes::routes())
        .fallback(async || Refused::not_found("there is no such address; the label view is at /label"))
        .method_not_allowed_fallback(async || {
            Refused(
                axum::http::StatusCode::METHOD_NOT_ALLOWED,
                "this address does not take that method".into(),
            )
        })
        .layer(middleware::from_fn_with_state(door, guard::ask))
        .with_state(view)
}

fn announce(args: &Label, address: SocketAddr, desk: &Desk) {
    let labels = desk.store.path().display().to_string();
    if args.json {
        let url = format!("http://{address}");
        return report::json_line(&serde_json::json!({ "listening": url, "labels": labels }));
    }
    let here = here(address);
    let token = args.token.as_ref().map_or("/label".into(), |token| format!("/?token={token}"));
    report::line(&format!("Label {} on {here}{token}  (Ctrl-C ends it)", desk.reel.name));
    report::line(&format!("Labels are kept in {labels}"));
    if !args.no_open && std::io::stdout().is_terminal() {
        open(&format!("{here}{token}"));
    }
}
