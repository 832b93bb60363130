import { render } from 'preact';
import { App } from './app.tsx';
import * as keys from './keys.ts';
import * as past from './past.ts';
import * as state from './state.ts';
import './studio.css';
import * as theme from './theme.ts';
import { connect } from './wire.ts';

theme.start();
keys.start();
past.start();
state.start();
connect();
render(<App />, document.body);
