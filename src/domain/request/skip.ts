const keyword = '(?:ci|service(?:[ -]?ci)?)'
const command = new RegExp(`\\[(?:skip\\s+${keyword}|${keyword}(?:\\s+|:\\s*)skip)\\]`, 'i')

/** The skip command in a commit message, as written, or undefined (WH-50, WH-51). */
export function skipCommand(message: string): string | undefined {
  return command.exec(message)?.[0]
}
