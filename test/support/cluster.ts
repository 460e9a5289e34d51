import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PoolConfig } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { openDatabase } from '../../src/store/sql/connection.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that test files make their databases on. */
    server: PoolConfig
    /** A migrated database to clone from. */
    template: string
  }
}

/**
 * One embedded server for the whole run, or the one of TEST_DATABASE_URL; with one migrated database
 * that every worker clones.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    const server = { connectionString: given }
    const template = await makeTemplate(server)
    provide('server', server)
    provide('template', template)
    return () => dropDatabases(server, template)
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'build-service-test-'))
  const { connection, stop } = await startEmbedded(folder)
  await forgetSafety(connection)
  provide('server', connection)
  provide('template', await makeTemplate(connection))
  return async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a test run writes need not survive a power cut. */
async function forgetSafety(server: PoolConfig): Promise<void> {
  const { pool, close } = openDatabase(server, () => {}, 1)
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    await pool.query(`alter system set ${setting} = off`)
  }
  await pool.query('select pg_reload_conf()')
  await close()
}

async function makeTemplate(server: PoolConfig): Promise<string> {
  const name = `template_${process.pid}`
  const main = openDatabase(server, () => {})
  await main.pool.query(`drop database if exists ${name} with (force)`)
  await main.pool.query(`create database ${name}`)
  await main.close()
  const template = openDatabase(onDatabase(server, name), () => {})
  await migrate(template.db, migrations)
  await template.close()
  return name
}

/** Drops the template and what was cloned from it under its name. */
async function dropDatabases(server: PoolConfig, template: string): Promise<void> {
  const { pool, close } = openDatabase(server, () => {}, 1)
  const { rows } = await pool.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [template],
  )
  for (const { name } of rows) await pool.query(`drop database ${name} with (force)`)
  await close()
}

/** The same server, another database. */
export function onDatabase(server: PoolConfig, name: string): PoolConfig {
  if (server.connectionString === undefined) return { ...server, database: name }
  const url = new URL(server.connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}
