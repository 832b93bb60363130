// A modal dialog. The browser keeps the focus inside, and Escape closes it.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import './dialog.css';

interface Props { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }

export function Dialog({ title, onClose, children, wide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null), name = useId();
  useEffect(() => {
    const it = dialog.current!;
    it.showModal();
    return () => it.close();
  }, []);
  return (
    <dialog ref={dialog} class={wide ? 'dialog wide' : 'dialog'} aria-labelledby={name} onClose={onClose}
      onClick={event => { if (event.target === dialog.current) onClose(); }}>
      <div class="dialog-inside">
        <header><h2 id={name}>{title}</h2><button type="button" class="quiet" aria-label="Close" onClick={onClose}>×</button></header>
        {children}
      </div>
    </dialog>
  );
}
