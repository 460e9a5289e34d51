// Where a log's text may be cut, so that each part is displayed correctly on its own.

/** Longer escape sequences may be cut; otherwise an endless sequence would hold back all output. */
const longestSequence = 32

const escape = String.fromCharCode(0x1b)
const bell = String.fromCharCode(0x07)

// CSI with its final letter, OSC with its end, or one of the short kinds.
const csi = '\\[[0-?]*[ -/]*'
const osc = `\\][^${bell}${escape}]*`
const short = '[ -/]*'
const sequence = new RegExp(
  `^${escape}(?:${csi}[@-~]|${osc}(?:${bell}|${escape}\\\\)|${short}[0-Z\\\\^-~])`,
)
const begunSequence = new RegExp(`${escape}(?:${csi}|${osc}${escape}?|${short})$`)

/** Where the text should end for now: before an incomplete escape sequence. */
export function settledLength(text: string): number {
  const from = Math.max(0, text.length - longestSequence + 1)
  const begun = begunSequence.exec(text.slice(from))
  return begun ? from + begun.index : text.length
}

/** Length of the longest prefix that takes at most `bytes` as a quoted JSON string. */
export function fittingLength(text: string, bytes: number): number {
  let taken = 2
  let end = 0
  for (const sign of text) {
    taken += jsonBytes(sign)
    if (taken > bytes) return beforeSequence(text, end)
    end += sign.length
  }
  return end
}

/** The longest prefix of at most `bytes` bytes. Cuts between characters. */
export function cutToBytes(text: string, bytes: number): string {
  let taken = 0
  let end = 0
  for (const sign of text) {
    taken += Buffer.byteLength(sign)
    if (taken > bytes) return text.slice(0, end)
    end += sign.length
  }
  return text
}

/** Moves a cut inside an escape sequence to the start of the sequence. */
function beforeSequence(text: string, cut: number): number {
  const first = Math.max(1, cut - longestSequence + 1)
  for (let begin = text.indexOf(escape, first); begin !== -1 && begin < cut;) {
    const whole = sequence.exec(text.slice(begin, begin + longestSequence))
    const end = begin + (whole?.[0].length ?? 1)
    if (end > cut) return begin
    begin = text.indexOf(escape, end)
  }
  return cut
}

function jsonBytes(sign: string): number {
  const code = sign.codePointAt(0) ?? 0
  if (code < 0x20) return '\b\t\n\f\r'.includes(sign) ? 2 : 6
  if (sign === '"' || sign === '\\') return 2
  if (code < 0x80) return 1
  if (code < 0x8_00) return 2
  // Half a surrogate pair is written as an escape.
  if (code >= 0xd8_00 && code <= 0xdf_ff) return 6
  return code < 0x1_00_00 ? 3 : 4
}
