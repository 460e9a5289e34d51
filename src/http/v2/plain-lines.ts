// Escape sequences of terminals: of control, of the operating system, and those of one character.
const sequences =
  // oxlint-disable-next-line no-control-regex
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\^_])/g

/** Text without escape sequences, and without what a carriage return has others write over. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainLine).join('\n')
}

function plainLine(line: string): string {
  const shown = line.replaceAll(sequences, '')
  // By hand: a regular expression takes quadratic time for returns before other text.
  let end = shown.length
  while (shown[end - 1] === '\r') end -= 1
  const kept = shown.slice(0, end)
  return kept.slice(kept.lastIndexOf('\r') + 1)
}

/** The same of a text that comes in pieces, which need not end with a line. */
export async function* plainPieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = ''
  for await (const piece of pieces) {
    const end = piece.lastIndexOf('\n') + 1
    if (end > 0) yield plainLines(begun + piece.slice(0, end))
    begun = end > 0 ? piece.slice(end) : begun + piece
  }
  if (begun !== '') yield plainLines(begun)
}
