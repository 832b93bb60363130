import { render } from 'preact';
import { App } from './app.tsx';
import * as past from './past.ts';
import * as state from './state.ts';
import './studio.css';
import { connect } from './wire.ts';

past.start();
state.start();
connect();
render(<App />, document.body);
