import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { collections } from '../../../src/http/v3/resources/index.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import type { Home } from './hypermedia.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

/** What the home document is made of, and errors, which every file is about. */
const pseudo = ['error', 'home', 'resource', 'template']

/** Lists, unless the home document has another name for them, with the types of their entries. */
const lists = Object.values(collections).flatMap(({ type, name, of }) =>
  name === undefined ? [[type, of.type]] : [],
)

/** A list is beside its entries, in a file that is named after either. */
const namesOf = (type: string) => [type, ...lists.filter((pair) => pair.includes(type)).flat()]

test('each resource of the home document has a test file', async () => {
  const { resources } = (await call('GET /')).body as Home
  const files = new Set(readdirSync(import.meta.dirname))
  const types = Object.keys(resources).filter((type) => !pseudo.includes(type))
  expect(types).toEqual(expect.arrayContaining(['active', 'attempts', 'branch', 'log_parts']))
  const without = types.filter(
    (type) => !namesOf(type).some((name) => files.has(`${name.replaceAll('_', '-')}.test.ts`)),
  )
  expect(without).toEqual([])
})
