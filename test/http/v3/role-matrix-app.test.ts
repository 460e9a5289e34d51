// The rights of every action below repositories once more, where roles are the code host's levels.
import { beforeAll, describe, test } from 'vitest'
import { ownDatabase } from '../../support/database.ts'
import { levels, levelsScene } from '../levels-scene.ts'
import { actions, expectByRole } from './role-rows.ts'

const { db } = await ownDatabase()
const { fill, status } = await levelsScene(db)

beforeAll(fill)

/** The code host can be asked, and has no commit there yet. */
const others = { 'request_preview.create': 400 }

describe.each(actions)('$action', (action) => {
  test.each(levels)('allows $who for $role', async (level) => {
    await expectByRole(status, action, level, others)
  })
})
