/** A number and its unit: `1 day`, `1,200 days`. */
export function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`
}
