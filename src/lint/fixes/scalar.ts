/** A scalar written on one line: its value, and the quotes around it, if any. */
export interface WrittenScalar {
  value: string
  quote: '' | '"' | "'"
}

/** Undefined if the source is not a scalar of one line, or has escapes. */
export function readScalar(source: string): WrittenScalar | undefined {
  const quoted = /^(["'])(.*)\1$/.exec(source)
  if (quoted) {
    const [, quote = '', value = ''] = quoted
    return /["'\\]/.test(value) ? undefined : { value, quote: quote as '"' | "'" }
  }
  return /^[^\s"'&*!|>[\]{}#,@`%?-][^\n]*$|^-\S[^\n]*$/.test(source)
    ? { value: source, quote: '' }
    : undefined
}

/** Whether a text can be a scalar without quotes anywhere, and is read as this very text. */
export function isPlain(text: string): boolean {
  return /^[A-Za-z_][\w.+-]*$/.test(text) && !/^(?:null|true|false|yes|no|on|off)$/i.test(text)
}
