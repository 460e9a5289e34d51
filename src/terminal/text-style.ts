import { type Colour, colourOf256, colourOfRgb } from './colour.ts'

/** How a terminal would draw text. */
export interface TextStyle {
  readonly colour: Colour | null
  readonly ground: Colour | null
  readonly bold: boolean
  readonly faint: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly strike: boolean
  readonly inverse: boolean
}

export const plainStyle: TextStyle = {
  colour: null,
  ground: null,
  bold: false,
  faint: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
}

const switches: Record<number, Partial<TextStyle>> = {
  0: plainStyle,
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, faint: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { colour: null },
  49: { ground: null },
}

/** More parameters than any program sends at once. */
const longest = 256

/** The style after a "select graphic rendition" with these parameters; unknown ones do nothing. */
export function restyle(style: TextStyle, parameters: string): TextStyle {
  const codes = parameters.slice(0, longest).split(';')
  let result = style
  while (codes.length > 0) {
    const [code = '', ...parts] = (codes.shift() ?? '').split(':')
    result = { ...result, ...changeOf(Number(code), parts, codes) }
  }
  return result
}

/** What one code changes. `parts` follow it after colons; `rest` are the codes after it. */
function changeOf(code: number, parts: string[], rest: string[]): Partial<TextStyle> {
  if (code === 4 && parts[0] === '0') return { underline: false }
  if (code === 38) return { colour: extendedColour(parts, rest) }
  if (code === 48) return { ground: extendedColour(parts, rest) }
  if (code === 58) extendedColour(parts, rest) // the colour of an underline is not shown
  if (code >= 30 && code <= 37) return { colour: code - 30 }
  if (code >= 40 && code <= 47) return { ground: code - 40 }
  if (code >= 90 && code <= 97) return { colour: code - 82 }
  if (code >= 100 && code <= 107) return { ground: code - 92 }
  return switches[code] ?? {}
}

/** Reads `5;n` or `2;r;g;b`, possibly with colons; takes the codes that it needs from `rest`. */
function extendedColour(parts: string[], rest: string[]): Colour | null {
  const kind = parts[0] ?? rest.shift()
  if (kind === '5') return colourOf256(numberIn(parts[1] ?? rest.shift()))
  if (kind !== '2') return null
  // With colons an empty or numbered colour space can precede the three parts.
  const rgb = parts.length > 0 ? parts.slice(parts.length > 4 ? 2 : 1) : rest.splice(0, 3)
  return colourOfRgb(numberIn(rgb[0]), numberIn(rgb[1]), numberIn(rgb[2]))
}

function numberIn(text: string | undefined): number {
  return text === undefined ? Number.NaN : Number(text)
}
