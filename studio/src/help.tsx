// The page of keyboard shortcuts.
import { Dialog } from './dialog.tsx';
import { startHints } from './hints.tsx';
import { helpIsOpen, keyGroups, type KeyGroup } from './keys.ts';
import './help.css';

const close = () => { helpIsOpen.value = false; };

export function Help() {
  if (!helpIsOpen.value) return null;
  return (
    <Dialog title="Keys and hints" onClose={close} wide>
      <div class="help">{keyGroups.value.map(group => <Keys key={group.title} {...group} />)}</div>
      <div class="actions"><button type="button" onClick={() => { close(); startHints(); }}>Show hints again</button></div>
    </Dialog>
  );
}

function Keys({ title, rows }: KeyGroup) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>{rows.map(([keys, what]) => <div key={keys + what}><dt>{keys.split(' · ').map(key => <kbd key={key}>{key}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
    </section>
  );
}
