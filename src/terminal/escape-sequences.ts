const escape = String.fromCharCode(0x1b)
const bell = String.fromCharCode(0x07)

/** Control characters of a terminal but tabs, as they are written in a class of a regular expression. */
export const controls = String.raw`\0-\x08\x0a-\x1f\x7f-\x9f`

/**
 * Alternatives of a regular expression for escape sequences: control sequences, strings such as titles, and all
 * others. Each reads a piece once and stops at the next escape, so that reading is linear.
 */
export const escapeSequences = [
  String.raw`${escape}\[(?<parameters>[0-?]*)[ -/]*(?<command>[@-~])`,
  String.raw`${escape}[\]PX^_][^${bell}${escape}]*(?:${bell}|${escape}\\)`,
  String.raw`${escape}[ -/]*[0-~]?`,
]
