const keyword = '(?:ci|service(?:[ -]?ci)?)'
const command = new RegExp(`\\[(?:skip\\s+${keyword}|${keyword}(?:\\s+|:\\s*)skip)\\]`, 'i')

/** The skip command in a commit message, as written, or undefined (WH-50, WH-51). */
export function skipCommand(message: string): string | undefined {
  return command.exec(message)?.[0]
}

/** The line of that command, counted from 1; undefined in a message of one line. */
export function skipLine(message: string): number | undefined {
  const found = command.exec(message)
  if (!found || !lineBreak.test(message.trim())) return undefined
  return message.slice(0, found.index).split(lineBreak).length
}

const lineBreak = /\r\n|\n|\r/
