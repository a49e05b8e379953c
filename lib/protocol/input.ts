/** What comes from the keyboard side of a terminal, decoded. */

/**
 * A key's canonical name: an optional chain of `C-` `M-` `S-` and then a character or one of
 * enter tab escape space backspace delete insert up down left right home end pageup pagedown f1 … f12.
 * Shift is only written where the key has no other form (`S-tab`, `S-up`); letters keep their case.
 */
export type KeyName = string;

export type InputEvent =
  /** `text` is what the key would type, '' for keys that type nothing. */
  | { readonly type: 'key'; readonly key: KeyName; readonly text: string }
  /** A whole bracketed paste. `complete` is false when its end mark never came. */
  | { readonly type: 'paste'; readonly text: string; readonly complete: boolean }
  /** Cells from the top left, counted from 0. */
  | {
      readonly type: 'mouse';
      readonly action: 'press' | 'release' | 'drag' | 'wheel-up' | 'wheel-down';
      readonly button: 'left' | 'middle' | 'right' | 'none';
      readonly x: number;
      readonly y: number;
    }
  | { readonly type: 'focus'; readonly gained: boolean }
  /** An answer of the terminal to a query of ours: never typed text. */
  | { readonly type: 'reply'; readonly bytes: string };
