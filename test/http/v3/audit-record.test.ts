import { beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../../../src/domain/audit.ts'
import type { User } from '../../../src/domain/owner.ts'
import { insertAuditRecord } from '../../../src/store/upkeep/audit-records.ts'
import { noon } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { administered, administering } from './administered.ts'
import { wholePage } from './whole-page.ts'

const db = await testDatabase()
const make = factories(db)
const { call } = await administered(db)

let root: User & { token: string }
let anna: User & { token: string }
beforeEach(async () => {
  root = await make.user('Root')
  anna = await make.user('anna')
})

describe('audit records', () => {
  const record = (actor: string, action: string, subject_id: number, given: object = {}) =>
    insertAuditRecord(db, {
      actor_id: anna.id,
      actor,
      action,
      subject_type: 'build',
      subject_id,
      details: { token_id: 3, address: '10.0.0.1', changed: { name: 'A' } },
      created_at: noon,
      ...given,
    })

  const subjects = async (query: string) => {
    const { body } = await call(`GET /audit_records${query}`, root)
    return (body as { audit_records: { subject_id: number }[] }).audit_records.map(
      ({ subject_id }) => subject_id,
    )
  }

  const shown = {
    '@type': 'audit_record',
    '@representation': 'standard',
    ...administering,
    id: 1,
    actor: 'anna',
    action: 'cancel',
    subject_type: 'build',
    subject_id: 5,
    actor_id: 2,
    token_id: 3,
    address: '10.0.0.1',
    changed: { name: 'A' },
    created_at: '2026-01-02T12:00:00Z',
  }

  test('name the author of each change', async () => {
    await record('anna', 'cancel', 5)
    // By one at the machine, who is no user.
    const { user, ...details } = operator
    await record(user.login, 'register_app', 0, {
      actor_id: user.id,
      subject_type: 'app',
      subject_id: null,
      details: { ...details, changed: {} },
    })
    const byOperator = {
      ...shown,
      id: 2,
      actor: 'operator',
      action: 'register_app',
      subject_type: 'app',
      subject_id: null,
      actor_id: null,
      token_id: null,
      address: 'command line',
      changed: {},
    }
    expect(await call('GET /audit_records', root)).toEqual({
      status: 200,
      body: {
        '@type': 'audit_records',
        ...wholePage('/audit_records', 2),
        audit_records: [byOperator, shown],
      },
    })
  })

  test('can be filtered, and are sorted newest first', async () => {
    await record('anna', 'cancel', 5)
    await record('bert', 'cancel', 6)
    await record('anna', 'restart', 7)
    expect(await subjects('')).toEqual([7, 6, 5])
    expect(await subjects('?actor=anna')).toEqual([7, 5])
    expect(await subjects('?audit_record.action=cancel')).toEqual([6, 5])
    expect(await subjects('?subject_type=build&subject_id=6')).toEqual([6])
    expect(await subjects('?subject_type=job')).toEqual([])
    expect(await subjects('?actor=%00')).toEqual([])
    expect(await subjects('?limit=1&offset=1')).toEqual([6])
    const [{ id } = { id: 0 }] = await db
      .selectFrom('audit_records')
      .select('id')
      .where('subject_id', '=', 7)
      .execute()
    expect(await subjects(`?before=${id}`)).toEqual([6, 5])
    expect(await call('GET /audit_records?subject_id=x', root)).toMatchObject({ status: 400 })
  })
})
