import type { Context } from '../context.ts'

/** What it takes to find what did not get here. */
export type CatchUpContext = Pick<
  Context,
  'db' | 'codehosts' | 'sealer' | 'now' | 'log' | 'enqueue'
>
