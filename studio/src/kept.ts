// What the browser keeps from one visit to the next. Where it may not, the studio begins afresh each time.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`vivant.${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`vivant.${name}`, value);
  } catch {
    // A private window may forbid it; nothing depends on it.
  }
}
