import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../src/domain/errors.ts'
import {
  changedVariableName,
  requiredText,
  requiredVariableName,
  settingCount,
  settingFlag,
  settingInteger,
} from '../../../src/http/parameters/fields.ts'
import {
  filterFlag,
  flag,
  idList,
  integer,
  integerPrefix,
  list,
  text,
  time,
  truth,
} from '../../../src/http/parameters/kinds.ts'
import {
  acceptedNames,
  ofType,
  type Parameter,
  required,
  unknownNames,
  valuesOf,
} from '../../../src/http/parameters/parameter.ts'

/** What was given, and the value or the message of the error. */
type Row = [given: unknown, value: unknown]

function refused(message: string) {
  return new ServiceError('wrong_params', message)
}

function invalid(code: string) {
  return { kind: 'unprocessable_entity', details: { fields: [{ field: 'x', code }] } }
}

const notAVariable = {
  kind: 'unprocessable_entity',
  details: {
    fields: [
      {
        field: 'x',
        code: 'invalid',
        message:
          'x must be one that shells accept: letters, digits and underscores, with no digit first',
      },
    ],
  },
}

const kinds: Record<string, [Parameter<unknown>, Row[]]> = {
  text: [
    text(),
    [
      ['a', 'a'],
      ['', ''],
      [undefined, undefined],
      [['a'], undefined],
      [{ a: 1 }, undefined],
      [3, undefined],
    ],
  ],
  'a flag': [
    flag(),
    [
      ['true', true],
      ['yes', true],
      [true, true],
      [1, true],
      ['false', false],
      ['0', false],
      ['', false],
      [false, false],
      [0, false],
      [null, false],
      [undefined, false],
    ],
  ],
  'a flag that only `true` sets': [
    truth(),
    [
      [true, true],
      ['true', true],
      ['1', false],
      [1, false],
      ['false', false],
      [undefined, false],
    ],
  ],
  'a flag to filter by': [
    filterFlag(),
    [
      ['true', true],
      ['x', true],
      ['false', false],
      ['0', false],
      [false, false],
      ['', undefined],
      ['true,false', undefined],
      [['0', 'false'], false],
      [undefined, undefined],
    ],
  ],
  'a list': [
    list(),
    [
      ['a,b', ['a', 'b']],
      [
        ['a', 'b,c', 3],
        ['a', 'b', 'c', '3'],
      ],
      ['', []],
      [undefined, undefined],
      [{ a: 'b' }, []],
    ],
  ],
  'a list of ids': [
    idList(),
    [
      ['1,x,2', [1, 2]],
      [
        [1, '2', '-3', '1234567890123456'],
        [1, 2],
      ],
      ['', []],
      [undefined, undefined],
    ],
  ],
  'an integer of V2.1': [
    integerPrefix(100),
    [
      ['7', 7],
      ['7x', 7],
      ['x', 0],
      [7, 7],
      ['99999999999999999999', 100],
      [undefined, undefined],
    ],
  ],
  'an integer of V3': [
    integer(),
    [
      ['7', 7],
      ['-7', -7],
      [7, 7],
      ['123456789012345', 123_456_789_012_345],
      ['1234567890123456', 1_234_567_890_123_456],
      ['12345678901234567890', Number.MAX_SAFE_INTEGER],
      [1e20, Number.MAX_SAFE_INTEGER],
      [undefined, undefined],
      [null, undefined],
      ['', refused('x must be an integer')],
      ['7x', refused('x must be an integer')],
      ['1.5', refused('x must be an integer')],
      [1.5, refused('x must be an integer')],
      [['7'], refused('x must be an integer')],
      [true, refused('x must be an integer')],
    ],
  ],
  'a time': [
    time(),
    [
      ['2026-01-02T12:00:00Z', new Date('2026-01-02T12:00:00Z')],
      ['2026-01-02', new Date('2026-01-02T00:00:00Z')],
      ['2026-01-02T12:00:00.5+01:00', new Date('2026-01-02T11:00:00.500Z')],
      [undefined, undefined],
      ['2026-13-02', refused('x must be a time like 2026-01-02T12:00:00Z')],
      ['2028-02-29', new Date('2028-02-29T00:00:00Z')],
      ['2026-01-02T23:30:00-01:00', new Date('2026-01-03T00:30:00Z')],
      ...['2026-02-29', '2026-02-30T10:00:00Z', '2026-04-31', 'now'].map((given): Row => [
        given,
        refused('x must be a time like 2026-01-02T12:00:00Z'),
      ]),
      [5, refused('x must be a time like 2026-01-02T12:00:00Z')],
    ],
  ],
  'a boolean of settings': [
    settingFlag(),
    [
      ...[true, 'true', 'T', '1', 1, 'on', 'YES', 'y'].map((given): Row => [given, true]),
      ...[false, 'false', 'f', '0', 0, 'Off', 'no', 'n'].map((given): Row => [given, false]),
      [undefined, undefined],
      ['maybe', invalid('invalid')],
      [null, invalid('invalid')],
      [2, invalid('invalid')],
    ],
  ],
  'an integer of settings': [
    settingInteger(),
    [
      ['12', 12],
      [12, 12],
      [null, null],
      [undefined, undefined],
      ['12x', invalid('not_a_number')],
      ['', invalid('not_a_number')],
      [1.5, invalid('not_a_number')],
      ['99999999999', invalid('not_a_number')],
    ],
  ],
  'a number that a setting allows': [
    settingCount(),
    [
      ['12', 12],
      [0, 0],
      [undefined, undefined],
      ...[-1, '-1', null, 1.5, '', 'x', 2 ** 31].map((given): Row => [
        given,
        invalid('not_a_number'),
      ]),
    ],
  ],
  'what must be given': [
    required(text()),
    [
      ['a', 'a'],
      ['', ''],
      [undefined, refused('x must be given')],
    ],
  ],
  'the name of a variable': [
    changedVariableName(),
    [
      ['a', 'a'],
      ['_A1', '_A1'],
      [undefined, undefined],
      [' ', invalid('missing_field')],
      [null, invalid('missing_field')],
      [3, invalid('invalid')],
      ...['1A', 'A B', 'A-B', 'Ä', 'A=', 'A\n', 'A;id'].map((name): Row => [name, notAVariable]),
    ],
  ],
  'the name of a variable that is required': [
    requiredVariableName(),
    [
      ['a', 'a'],
      [undefined, invalid('missing_field')],
      ['', invalid('missing_field')],
      ['1', notAVariable],
    ],
  ],
  'a text that is required': [
    requiredText(),
    [
      ['a', 'a'],
      [3, '3'],
      [undefined, invalid('missing_field')],
      ['', invalid('missing_field')],
      [' ', invalid('missing_field')],
    ],
  ],
}

/** The value, or the error. Whatever an error is compared with is one too. */
function outcome(parameter: Parameter<unknown>, given: unknown): unknown {
  try {
    return parameter.read(given, 'x')
  } catch (error) {
    const { kind, details, message } = error as ServiceError
    return details.fields ? { kind, details } : refused(message)
  }
}

describe.each(Object.entries(kinds))('%s', (_name, [parameter, rows]) => {
  test.each(rows)('given as %j is read as %j', (given, value) => {
    expect(outcome(parameter, given)).toEqual(value)
  })
})

test('errors in several fields are reported together, in the order of the fields', () => {
  const accepts = { 'env_var.name': requiredText(), 'env_var.public': settingFlag(), a: text() }
  const read = () => valuesOf(accepts, { env_var: { public: 'x' } })
  expect(read).toThrow(
    expect.objectContaining({
      kind: 'unprocessable_entity',
      message: 'validation failed: name missing field, public invalid',
      details: {
        fields: [
          { field: 'name', code: 'missing_field' },
          { field: 'public', code: 'invalid' },
        ],
      },
    }),
  )
})

test('accepted names are the declared names, short names included', () => {
  const accepts = { limit: integer(), ...ofType('branch', { name: list() }), 'build.state': list() }
  expect(acceptedNames(accepts)).toEqual(['limit', 'branch.name', 'name', 'build.state'])
  const given = { foo: 1, limit: 1, branch: { name: 'a' }, build: 'x', state: 'y', name: 'z' }
  expect(unknownNames(accepts, given)).toEqual(['foo', 'build', 'state'])
  expect(unknownNames(accepts, { '@type': 'build', state: 'passed' })).toEqual(['@type'])
  const ofAnother = { '@type': 'build', name: 'z', state: 'passed' }
  expect(unknownNames(accepts, ofAnother)).toEqual(['@type', 'name'])
})
