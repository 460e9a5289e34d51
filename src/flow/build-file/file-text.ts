/** The text of a file; bytes that are not UTF-8 are dropped (CF-03). */
export function fileText(bytes: Buffer): string {
  return new TextDecoder('utf-8').decode(bytes).replaceAll('\uFFFD', '')
}
