/** One of the sixteen colours of a terminal: 0 to 7 normal, 8 to 15 bright. */
export type Colour = number

type Rgb = readonly [number, number, number]

/** The default colours of terminals, used only to find the nearest one. */
const palette: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
]

const levels = [0, 95, 135, 175, 215, 255] as const

/** The nearest of the sixteen colours to a colour of 256; null for any other number. */
export function colourOf256(number: number): Colour | null {
  if (!Number.isInteger(number) || number < 0 || number > 255) return null
  if (number < 16) return number
  if (number >= 232) {
    const grey = 8 + (number - 232) * 10
    return nearest([grey, grey, grey])
  }
  const index = number - 16
  return nearest([
    levels[Math.floor(index / 36)] ?? 0,
    levels[Math.floor(index / 6) % 6] ?? 0,
    levels[index % 6] ?? 0,
  ])
}

/** The nearest of the sixteen colours to this one; null when a part is out of range. */
export function colourOfRgb(red: number, green: number, blue: number): Colour | null {
  const rgb: Rgb = [red, green, blue]
  return rgb.every((part) => part >= 0 && part <= 255) ? nearest(rgb) : null
}

function nearest(rgb: Rgb): Colour {
  const distances = palette.map((colour) => distance(colour, rgb))
  return distances.indexOf(Math.min(...distances))
}

function distance([r1, g1, b1]: Rgb, [r2, g2, b2]: Rgb): number {
  return (r1 - r2) ** 2 + (g1 - g2) ** 2 + (b1 - b2) ** 2
}
