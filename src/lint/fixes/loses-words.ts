/** Whether a value as read lacks letters or digits of the value as written. */
export function losesWords(written: unknown, read: unknown): boolean {
  return lettersIn(written) > lettersIn(read)
}

function lettersIn(value: unknown): number {
  return String(value).replaceAll(/[^\p{L}\d]/gu, '').length
}
