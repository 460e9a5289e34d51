/** Characters of a line that are read; the rest is ignored. */
const longestLine = 2000

/** How often a line is searched for the last text that it was redrawn with. */
const mostRedraws = 50

/**
 * The text of a line of output as a terminal would show it in the end: without colours and control characters,
 * and of a line that was redrawn only the last text.
 */
export function plainLine(raw: string): string {
  const drawn = lastDrawn(raw)
  const cut = drawn.length > longestLine ? drawn.slice(0, longestLine) : drawn
  return hasControl.test(cut) ? cut.replaceAll(escapes, '').replaceAll(controls, '') : cut
}

/** What follows the last carriage return or backspace that has a visible text behind it. */
function lastDrawn(raw: string): string {
  let end = raw.length
  for (let tries = 0; tries < mostRedraws; tries += 1) {
    const at = lastMove(raw, end)
    if (at === -1) return raw.slice(0, end)
    const text = raw.slice(at + 1, Math.min(end, at + 1 + longestLine))
    if (hasText(text)) return text
    end = at
  }
  return raw.slice(0, longestLine)
}

function lastMove(raw: string, end: number): number {
  if (end === 0) return -1
  return Math.max(raw.lastIndexOf('\r', end - 1), raw.lastIndexOf('\b', end - 1))
}

const hasText = (text: string) => text.replaceAll(escapes, '').trim() !== ''

// Each part of an escape has characters of its own, so that no text is read twice.
/* oxlint-disable no-control-regex */
const hasControl = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/
const escapes =
  /\u001B(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001B]{0,500}(?:\u0007|\u001B\\)?|[ -/]{0,4}[0-Z\\^-~])/g
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g
/* oxlint-enable no-control-regex */
