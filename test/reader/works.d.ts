import type { Work } from '../../src/reader/reader.ts'

export const double: Work<number, number>
export const fail: Work<string, never>
export const spin: Work<null, number>
export const hoard: Work<null, number>
export const end: Work<null, never>
export const environment: Work<null, NodeJS.ProcessEnv>
