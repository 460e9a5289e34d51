import type { ProbotOctokit } from 'probot'

type Rest = ProbotOctokit['rest']
type Call = (...args: never[]) => Promise<{ data: unknown }>
type Calls<Room extends keyof Rest> = {
  [Name in keyof Rest[Room]]: Rest[Room][Name] extends Call ? Rest[Room][Name] : never
}

/** The code host’s own description of its responses; the compiler holds us to it. */
export type Answer<Room extends keyof Rest, Name extends keyof Rest[Room]> = Awaited<
  ReturnType<Calls<Room>[Name]>
>['data']

/** Some times are reported with milliseconds, ours are not. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

/** Opaque to everyone but the code host. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`0:${kind}${id}`).toString('base64')
}
