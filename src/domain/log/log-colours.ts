/** The colours of the lines that the service itself writes into a log, as terminal codes. */
export const logColours = { red: '31;1', green: '32;1', yellow: '33;1', dim: '2' } as const

export type LogColour = keyof typeof logColours

export const resetColour = '\u001B[0m'

export function inColour(colour: LogColour, text: string): string {
  return `\u001B[${logColours[colour]}m${text}${resetColour}`
}
