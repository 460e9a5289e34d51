/** Whether a value is read as one that lacks letters or digits of what is written. */
export function losesWords(written: unknown, read: unknown): boolean {
  return lettersIn(written) > lettersIn(read)
}

function lettersIn(value: unknown): number {
  return String(value).replaceAll(/[^\p{L}\d]/gu, '').length
}
