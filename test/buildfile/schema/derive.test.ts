import { describe, expect, test } from 'vitest'
import { bundleSchema } from '../../../src/buildfile/schema/bundle.ts'
import { deriveTypes } from '../../../src/buildfile/schema/derive.ts'
import type { Schema, SchemaFiles } from '../../../src/buildfile/schema/document.ts'

const values: Schema = {
  $defs: {
    str: { 'x-kind': 'str', anyOf: [{ type: 'string' }, { type: 'number' }] },
    nothing: { type: 'null', 'x-form': 'written' },
    list: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/str' } }, { $ref: '#/$defs/str' }] },
  },
}

/** The schema's files: a root with these keywords, and the values it refers to. */
function filesOf(root: Schema, parts: Record<string, Schema> = {}): SchemaFiles {
  return new Map([
    ['service-yml.json', root],
    ['parts/values.json', values],
    ...Object.entries(parts),
  ])
}

function keysOf(properties: Record<string, Schema>) {
  const root = deriveTypes(filesOf({ type: 'object', properties })).get('root')
  return root && 'keys' in root ? root.keys : undefined
}

const str = { $ref: 'parts/values.json#/$defs/str' }
const nothing = { $ref: 'parts/values.json#/$defs/nothing' }

describe('deriving types', () => {
  test('repeats scalars and names other types', () => {
    const files = filesOf({
      type: 'object',
      properties: { a: str, b: { $ref: 'parts/values.json#/$defs/list' } },
    })
    expect([...deriveTypes(files)]).toEqual([
      [
        'root',
        { kind: 'map', strict: false, keys: { a: { kind: 'str' }, b: { to: 'values/list' } } },
      ],
      ['values/list', { kind: 'any', of: [{ kind: 'seq', of: { kind: 'str' } }, { kind: 'str' }] }],
    ])
  })

  test('uses the project’s own keywords', () => {
    expect(
      keysOf({
        a: {
          ...str,
          'x-lowercase': true,
          'x-aliases': ['b'],
          default: 'on',
          anyOf: [
            { enum: ['on'] },
            { const: 'off', 'x-aliases': ['out'], 'x-flags': ['edge'] },
            { 'x-form': 'kept' },
          ],
        },
      }),
    ).toEqual({
      a: {
        kind: 'str',
        lowercase: true,
        aliases: ['b'],
        defaults: [{ value: 'on' }],
        values: [{ value: 'on' }, { value: 'off', aliases: ['out'], edge: true }],
      },
    })
  })

  test('leaves out forms without a type', () => {
    const list = { type: 'array', items: str } as const
    expect(
      keysOf({
        alone: { anyOf: [{ ...list }, { const: false, 'x-form': 'kept' }, nothing] },
        still: { 'x-kind': 'any', anyOf: [str, nothing] },
      }),
    ).toEqual({
      alone: { kind: 'seq', of: { kind: 'str' } },
      still: { kind: 'any', of: [{ kind: 'str' }] },
    })
  })

  test('merges maps: own keys are first and win, and required keys are combined', () => {
    const all: Schema = {
      $defs: {
        keys: {
          type: 'object',
          properties: { name: { $ref: 'values.json#/$defs/str' } },
          required: ['name'],
          'x-strict': true,
        },
      },
    }
    const root: Schema = {
      type: 'object',
      $ref: 'parts/all.json#/$defs/keys',
      properties: { app: str, name: { ...str, const: 'x' } },
      required: ['app'],
    }
    expect(deriveTypes(filesOf(root, { 'parts/all.json': all })).get('root')).toEqual({
      kind: 'map',
      strict: true,
      keys: { app: { kind: 'str' }, name: { kind: 'str', values: [{ value: 'x' }] } },
      required: ['app', 'name'],
    })
  })

  test('reports a reference to a missing definition', () => {
    expect(() => keysOf({ a: { $ref: 'parts/values.json#/$defs/strr' } })).toThrow(
      'service-yml.json refers to parts/values.json#/$defs/strr, which does not exist',
    )
  })
})

test('the bundle is one document with its parts as definitions', () => {
  const root: Schema = { $id: 'service-yml.json', type: 'object', properties: { a: str } }
  const part: Schema = { title: 'B', $ref: '../values.json#/$defs/list' }
  const files = filesOf(root, { 'parts/deploy/b.json': part })
  expect(bundleSchema(files, 'https://ci.example.com/schema/service-yml.json')).toEqual({
    $id: 'https://ci.example.com/schema/service-yml.json',
    type: 'object',
    properties: { a: { $ref: '#/$defs/values/$defs/str' } },
    $defs: {
      values: {
        $defs: {
          str: values.$defs?.['str'],
          nothing: values.$defs?.['nothing'],
          list: {
            anyOf: [
              { type: 'array', items: { $ref: '#/$defs/values/$defs/str' } },
              { $ref: '#/$defs/values/$defs/str' },
            ],
          },
        },
      },
      'deploy.b': { title: 'B', $ref: '#/$defs/values/$defs/list' },
    },
  })
})
