const colours = { red: 31, green: 32, yellow: 33, blue: 34, dim: 2, bold: 1 } as const
type Colour = keyof typeof colours

/** Whether to use colours on this stream. */
export function isColoured({ isTTY }: { isTTY?: boolean }): boolean {
  return isTTY === true && process.env.NO_COLOR === undefined
}

export function paint(colour: Colour, text: string): string {
  return isColoured(process.stdout) ? `\u001B[${colours[colour]}m${text}\u001B[0m` : text
}
