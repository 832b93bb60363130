import { render } from 'preact';
import { App } from './app.tsx';
import * as intents from './director/intents.ts';
import * as temperament from './director/temperament.ts';
import * as keys from './keys.ts';
import * as label from './label/label.tsx';
import * as playback from './playback.ts';
import * as preview from './stage/preview.ts';
import * as watch from './stage/watch.ts';
import * as state from './state.ts';
import './studio.css';
import * as theme from './theme.ts';
import * as voice from './voice/voice.ts';
import { connect } from './wire.ts';

/** Starts the studio. */
function studio(): void {
  keys.start();
  playback.start();
  watch.start();
  preview.start();
  intents.start();
  temperament.start();
  state.start();
  void voice.start();
  connect();
  render(<App />, document.body);
}

/** Starts the label view, which `vivant label` opens. */
function labelling(): void {
  label.start();
  render(<label.Label />, document.body);
}

theme.start();
if (location.pathname === '/label') labelling();
else studio();
