import type { Colour } from './colour.ts'
import { plainStyle, type TextStyle } from './text-style.ts'

/** A style as drawn: inverse text has swapped its two colours. Null is the default colour. */
export interface DrawnStyle extends Omit<TextStyle, 'colour' | 'ground' | 'inverse'> {
  readonly colour: Colour | 'ground' | null
  readonly ground: Colour | 'text' | null
}

export function drawnStyle(style: TextStyle): DrawnStyle {
  const { inverse, colour, ground } = style
  return inverse ? { ...style, colour: ground ?? 'ground', ground: colour ?? 'text' } : style
}

export const plainDrawn = drawnStyle(plainStyle)

export function isSameStyle(one: DrawnStyle, other: DrawnStyle): boolean {
  return (
    one === other ||
    (one.colour === other.colour &&
      one.ground === other.ground &&
      one.bold === other.bold &&
      one.faint === other.faint &&
      one.italic === other.italic &&
      one.underline === other.underline &&
      one.strike === other.strike)
  )
}

/** The classes of the style sheet for a style, separated by spaces; empty for plain text. */
export function classesOf(style: DrawnStyle): string {
  if (style === plainDrawn) return ''
  return [
    style.ground === null ? '' : `on on-${style.ground}`,
    style.colour === null ? '' : `ink-${style.colour}`,
    style.bold ? 'bold' : '',
    style.faint ? 'dim' : '',
    style.italic ? 'italic' : '',
    style.underline ? 'underline' : '',
    style.strike ? 'strike' : '',
  ]
    .filter((name) => name !== '')
    .join(' ')
}
