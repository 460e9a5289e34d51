import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../support/command.ts'
import { needs } from '../support/needs.ts'
import { ownEnvironment, registryFor } from '../support/registry.ts'
import { documents } from './documents.ts'

const redocly = '@redocly/cli@2.77.0'
const rules = path.join(import.meta.dirname, 'redocly.yaml')
const needed = { ...needs(registryFor('of the OpenAPI documents with Redocly')), timeout: 300_000 }

interface Found {
  ruleId: string
  message: string
}

/** What Redocly finds in a document. */
function problemsIn(document: object): Found[] {
  const file = path.join(scratchFolder(), 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const { stdout, stderr } = spawnSync(
    'npx',
    ['-y', redocly, 'lint', file, '--config', rules, '--format', 'json'],
    { env: { ...ownEnvironment, REDOCLY_TELEMETRY: 'off' }, encoding: 'utf8' },
  )
  if (!stdout.startsWith('{')) throw new Error(stderr)
  const { problems } = JSON.parse(stdout) as { problems: Found[] }
  return problems.map(({ ruleId, message }) => ({ ruleId, message }))
}

test.each(Object.entries(documents))('Redocly finds nothing in %s', needed, (_name, document) => {
  expect(problemsIn(document)).toEqual([])
})

test('Redocly reports two paths that are the same', needed, () => {
  const { paths, ...others } = documents['v2.1']
  const twice = { ...others, paths: { ...paths, '/repos/{other}': {} } }
  const found = problemsIn(twice).map(({ ruleId }) => ruleId)
  expect(found).toContain('no-identical-paths')
})
