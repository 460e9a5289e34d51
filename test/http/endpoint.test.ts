import { beforeEach, describe, expect, test } from 'vitest'
import { anonymous, type Viewer } from '../../src/access/viewer.ts'
import { insufficientAccess, notFound, wrongParams } from '../../src/domain/errors.ts'
import { json } from '../../src/http/core/answer.ts'
import { type Call, get, post } from '../../src/http/core/endpoint.ts'
import { Refusal } from '../../src/http/core/refusal.ts'
import { viewer } from '../access/records.ts'

/** The steps that were taken, in their order. */
let taken: string[]
beforeEach(() => {
  taken = []
})

const callBy = (who: Viewer) =>
  ({ viewer: who, params: {}, query: {}, given: {} }) as unknown as Call
const ready = () => void taken.push('ready')

interface Thing {
  id: number
}

/** Steps that note when they are taken. */
function steps({ found = true, read = true, change = true } = {}) {
  return {
    type: 'thing',
    right: 'change' as const,
    check: () => void taken.push('check'),
    async find(): Promise<Thing | undefined> {
      taken.push('find')
      return found ? { id: 1 } : undefined
    },
    rights() {
      taken.push('rights')
      return { read, change }
    },
    async act(_call: Call, { id }: Thing) {
      taken.push('act')
      return `thing ${id}`
    },
    present(result: string) {
      taken.push('present')
      return { result }
    },
  }
}

const error = (promise: Promise<unknown>) => promise.catch((reason: unknown) => reason)

describe('an endpoint for a record', () => {
  test('checks, finds, asks for rights, acts and presents', async () => {
    const { method, paths, admission, run } = post(['/things/:id'], { ...steps(), login: true })
    expect([method, paths]).toEqual(['POST', ['/things/:id']])
    expect(admission).toEqual({ login: true, open: false, scope: 'read', forSome: true })
    expect(await run(callBy(viewer), ready)).toEqual({ result: 'thing 1' })
    expect(taken).toEqual(['check', 'find', 'rights', 'ready', 'act', 'present'])
  })

  test('presents the record itself if there is no action', async () => {
    const { act: _act, ...rest } = steps()
    const { paths, run } = get('/things/:id', { ...rest, present: (thing: Thing) => thing })
    expect(paths).toEqual(['/things/:id'])
    expect(await run(callBy(anonymous), ready)).toEqual({ id: 1 })
  })

  test('refuses invalid parameters before any lookup', async () => {
    const check = () => {
      throw wrongParams('no')
    }
    const { run } = get('/things/:id', { ...steps(), check })
    expect(await error(run(callBy(anonymous), ready))).toEqual(wrongParams('no'))
    expect(taken).toEqual([])
  })

  test('treats hidden records like missing records', async () => {
    for (const given of [{ found: false }, { read: false }]) {
      const { run } = get('/things/:id', steps(given))
      expect(await error(run(callBy(viewer), ready))).toEqual(notFound('thing'))
    }
    expect(taken).not.toContain('act')
  })

  test('can have its own response for a missing record', async () => {
    const answer = json({ sorry: true }, 404)
    const { run } = get('/things/:id', { ...steps({ found: false }), missing: () => answer })
    const missing = await error(run(callBy(viewer), ready))
    expect(missing).toEqual(new Refusal(notFound('thing'), answer))
    expect(missing).toMatchObject({ kind: 'not_found', message: notFound('thing').message })
  })

  test('reports the missing right, and the record', async () => {
    const { run } = get('/things/:id', steps({ change: false }))
    expect(await error(run(callBy(viewer), ready))).toEqual(
      insufficientAccess('thing', 'change', { id: 1 }),
    )
    expect(taken).not.toContain('act')
  })
})

describe('an endpoint without a record', () => {
  test('returns its response', async () => {
    const { run } = get('/', { answer: () => 'hello' })
    expect(await run(callBy(anonymous), ready)).toBe('hello')
  })
})
