import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import {
  hello,
  knowing,
  makeScene,
  noOrganizationRights,
  pushing,
  type Scene,
  web,
} from './scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

let scene: Scene
beforeAll(async () => {
  scene = await makeScene(db)
})

describe('GET /repo/{repository}', () => {
  test.each([
    '/repo/1',
    '/repo/001',
    '/repo/codehost/1',
    // With an id it does not matter who the provider is said to be.
    '/repo/local/1',
    '/repo/anybody%2Fat-all/1',
    '/repo/octavia%2Fhello',
    '/repo/octavia%2fhello',
    '/repo/OCTAVIA%2FHello',
    '/repo/codehost/octavia%2Fhello',
    '/repo/CodeHost/octavia%2Fhello',
    '/repo/github/octavia%2Fhello',
  ])('is found at %s', async (path) => {
    expect(await call(`GET ${path}`)).toEqual({ status: 200, body: hello })
  })

  test.each([
    '/repo/local%2Ftool',
    '/repo/local/local%2Ftool',
    '/repo/LOCAL/Local%2Ftool',
    '/repo/codehost/3',
  ])('of a local repository is found at %s', async (path) => {
    expect(await call(`GET ${path}`)).toMatchObject({
      status: 200,
      body: { id: 3, vcs_type: 'LocalRepository', owner: { vcs_type: 'LocalUser' } },
    })
  })

  const missing = {
    '@type': 'error',
    error_type: 'not_found',
    resource_type: 'repository',
    error_message: 'repository not found (or insufficient access)',
  }

  test.each([
    '/repo/5',
    '/repo/0',
    '/repo/99999999999999999999',
    '/repo/octavia%2Fnone',
    '/repo/local/octavia%2Fhello',
    '/repo/codehost/local%2Ftool',
    '/repo/gitlab/octavia%2Fhello',
    '/repo/constructor/octavia%2Fhello',
    '/repo/__proto__/octavia%2Fhello',
    '/repo/octavia%2Fhello%00',
    '/repo/%27%20or%201%3D1%20--%2Fx',
    // Hidden.
    '/repo/2',
    '/repo/acme%2Fweb',
    '/repo/codehost/acme%2Fweb',
  ])('is not found at %s', async (path) => {
    expect(await call(`GET ${path}`)).toEqual({ status: 404, body: missing })
  })

  test.each([
    '/repo/octavia%2Fhello%2Fx',
    '/repo/octavia%252Fhello',
    '/repo/%2Fhello',
    '/repo/o%2F',
  ])('is an unknown path: %s', async (path) => {
    expect(await call(`GET ${path}`)).toEqual({
      status: 404,
      body: {
        ...missing,
        error_message: 'resource not found (or insufficient access)',
        resource_type: null,
      },
    })
  })
})

describe('a repository of an organization', () => {
  test('is shown in full to users who can read it', async () => {
    expect(await call('GET /repo/2', { token: scene.people.reader.token })).toEqual({
      status: 200,
      body: {
        ...web,
        owner: {
          '@type': 'organization',
          '@href': `/org/${scene.acme.id}`,
          '@representation': 'minimal',
          '@permissions': noOrganizationRights,
          id: scene.acme.id,
          login: 'acme',
          name: null,
          vcs_type: 'CodehostOrganization',
          ro_mode: false,
        },
      },
    })
  })

  test.each<[keyof Scene['people'], typeof knowing, object, boolean]>([
    ['reader', knowing, {}, true],
    ['pusher', pushing, { settings_create: true, settings_delete: true }, false],
    [
      'admin',
      { ...pushing, admin: true },
      { write: true, sync: true, admin: true, settings_create: true, settings_delete: true },
      false,
    ],
  ])('shows the %s their permissions', async (who, rights, ofOwner, shared) => {
    const mayWrite = rights.write
    const { body } = await call('GET /repo/2?include=repository.current_build', {
      token: scene.people[who].token,
    })
    expect(body).toMatchObject({
      '@permissions': rights,
      shared,
      owner: { '@permissions': { ...noOrganizationRights, ...ofOwner } },
      default_branch: { '@permissions': { read: true, write: mayWrite } },
      current_build: {
        '@permissions': { write: mayWrite, cancel: mayWrite, restart: mayWrite, prioritize: false },
      },
    })
  })

  test('is not marked as shared for its owner or for strangers', async () => {
    expect(await call('GET /repo/1', { token: scene.people.stranger.token })).toMatchObject({
      body: { shared: false, starred: false, '@permissions': knowing },
    })
    const { pusher } = scene.people
    await make.permission(pusher, { id: 4 }, 'admin')
    expect(await call('GET /repo/4', { token: pusher.token })).toMatchObject({
      body: { shared: false, owner: { login: 'pusher' }, '@permissions': { admin: true } },
    })
  })
})
