/** The kinds of values as people call them. */
const kinds: Readonly<Record<string, string>> = {
  map: 'a mapping',
  seq: 'a list',
  str: 'a string',
  num: 'a number',
  bool: 'true or false',
  secure: 'an encrypted value',
  none: 'nothing',
}

export function kindName(kind: unknown): string {
  return kinds[String(kind)] ?? 'another value'
}
