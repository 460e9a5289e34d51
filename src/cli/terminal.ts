const colours = { red: 31, green: 32, yellow: 33, blue: 34, dim: 2, bold: 1 } as const
type Colour = keyof typeof colours

/** Colour preference from the environment, for all streams; `FORCE_COLOR` wins, as in Node itself. */
export function wantedColours(): boolean | undefined {
  const { FORCE_COLOR: forced, NO_COLOR: none } = process.env
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return none === undefined ? undefined : false
}

/** Whether to use colours on this stream. */
export function isColoured({ isTTY }: { isTTY?: boolean }): boolean {
  return wantedColours() ?? isTTY === true
}

export function paint(colour: Colour, text: string): string {
  return isColoured(process.stdout) ? `\u001B[${colours[colour]}m${text}\u001B[0m` : text
}
