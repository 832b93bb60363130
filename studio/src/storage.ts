// Settings in the browser's local storage. If storage is blocked, the studio starts with defaults each time.

export function loadSetting(name: string): string | null {
  try {
    return localStorage.getItem(`vivant.${name}`);
  } catch {
    return null;
  }
}

export function saveSetting(name: string, value: string): void {
  try {
    localStorage.setItem(`vivant.${name}`, value);
  } catch {
    // A private window may block storage; settings are then lost on reload.
  }
}
