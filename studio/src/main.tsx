import { render } from 'preact';
import { App } from './app.tsx';
import * as asking from './director/asking.ts';
import * as tempering from './director/tempering.ts';
import * as keys from './keys.ts';
import * as label from './label/label.tsx';
import * as past from './past.ts';
import * as preview from './stage/preview.ts';
import * as watching from './stage/watching.ts';
import * as state from './state.ts';
import './studio.css';
import * as theme from './theme.ts';
import * as voice from './voice/voice.ts';
import { connect } from './wire.ts';

/** The studio, with a character that lives. */
function studio(): void {
  keys.start();
  past.start();
  watching.start();
  preview.start();
  asking.start();
  tempering.start();
  state.start();
  void voice.start();
  connect();
  render(<App />, document.body);
}

/** What `vivant label` opens: no character, but a film. */
function labelling(): void {
  label.start();
  render(<label.Label />, document.body);
}

theme.start();
if (location.pathname === '/label') labelling();
else studio();
