/** A scalar as it is written on one line: what it says, and the quotes around it, if any. */
export interface WrittenScalar {
  value: string
  quote: '' | '"' | "'"
}

/** Undefined for what is not a scalar of one line, or has escapes in it. */
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

/** What may stand without quotes wherever a scalar may, and is read as this very text. */
export function isPlain(text: string): boolean {
  return /^[A-Za-z_][\w.+-]*$/.test(text) && !/^(?:null|true|false|yes|no|on|off)$/i.test(text)
}
