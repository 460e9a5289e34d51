import { beforeAll, describe, expect, test } from 'vitest'
import { isVisible } from '../../src/access/visibility.ts'
import { findBuild } from '../../src/store/builds/builds.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { findSeenRepository } from '../../src/store/repositories/repository-access.ts'
import { findRequest } from '../../src/store/requests/requests.ts'
import { listedFor, visibleIn, visibleTo } from '../../src/store/sql/visibility.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const { db } = await ownDatabase()
const make = factories(db)

const viewers: Record<string, number | undefined> = { 'an anonymous viewer': undefined }

// Each kind of repository has a build, job and request that are private and others that are not.
beforeAll(async () => {
  const member = await make.user()
  viewers['a user with a role'] = member.id
  viewers['a user without a role'] = (await make.user()).id
  for (const isPrivate of [false, true]) {
    const repository = await make.repository({ name: `r-${isPrivate}`, private: isPrivate })
    await make.permission(member, repository)
    for (const hidden of [false, true]) {
      await make.request({ repository, private: hidden })
      const build = await make.build({ repository, private: hidden })
      await make.job({ build, private: hidden })
    }
  }
})

const records = { builds: findBuild, jobs: findJob, requests: findRequest }

describe.each(['an anonymous viewer', 'a user with a role', 'a user without a role'])(
  'for %s',
  (who) => {
    test.each(['builds', 'jobs', 'requests'] as const)(
      'the database hides the same %s as the rule does',
      async (table) => {
        const all = await db.selectFrom(table).select('id').orderBy('id').execute()
        const visible = await db
          .selectFrom(table)
          .select('id')
          .where(visibleTo(viewers[who], table))
          .orderBy('id')
          .execute()
        const expected = []
        for (const { id } of all) {
          const record = await records[table](db, id)
          if (!record) throw new Error('the record is missing')
          const repository = await findSeenRepository(
            db,
            { id: record.repository_id },
            viewers[who],
          )
          if (repository && isVisible(repository, record)) expected.push({ id })
        }
        expect(visible).toEqual(expected)
        const listed = await db
          .selectFrom(table)
          .innerJoin('repositories', 'repositories.id', `${table}.repository_id`)
          .select(`${table}.id`)
          .where(listedFor({ userId: viewers[who], closed: false }, table))
          .orderBy(`${table}.id`)
          .execute()
        expect(listed).toEqual(expected)
        const own = []
        for (const id of [1, 2]) {
          const repository = await findSeenRepository(db, { id }, viewers[who])
          if (!repository) throw new Error('the repository is missing')
          const rows = db.selectFrom(table).select('id').where('repository_id', '=', id)
          own.push(...(await rows.where(visibleIn(repository, table)).orderBy('id').execute()))
        }
        expect(own).toEqual(expected)
        expect(visible.length < all.length).toBe(who !== 'a user with a role')
      },
    )

    test('the database hides the same repositories as the rule does', async () => {
      const visible = await db
        .selectFrom('repositories')
        .select('id')
        .where(visibleTo(viewers[who], 'repositories'))
        .orderBy('id')
        .execute()
      const seen = await Promise.all(
        [1, 2].map((id) => findSeenRepository(db, { id }, viewers[who])),
      )
      expect(visible).toEqual(
        seen.flatMap((repository) =>
          repository && isVisible(repository) ? [{ id: repository.id }] : [],
        ),
      )
    })
  },
)
