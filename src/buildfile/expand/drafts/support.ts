import { rootType } from '../../schema/load.ts'
import type { EnumValue, ValueLimits, Type } from '../../schema/values/type.ts'
import { listOf } from '../values.ts'

/** The values that decide which keys and values a job can have (build file, rules 17.1 and 17.9). */
export interface Platform {
  language: readonly unknown[]
  os: readonly unknown[]
}

interface Limited {
  only?: ValueLimits
  except?: ValueLimits
}

interface Support {
  /** Whether the key holds a map, which no platform removes. */
  isMap: boolean
  limits: readonly Limited[]
  values: ReadonlyMap<unknown, EnumValue>
}

export function platformOf(language: unknown, os: unknown): Platform {
  return { language: listOf(language), os: listOf(os) }
}

let positions: ReadonlyMap<string, number> | undefined

/** The matrix keys and their positions in the order of variation, the fastest last. */
export function matrixKeys(): ReadonlyMap<string, number> {
  positions ??= new Map(matrixKeysInOrder().map((key, position) => [key, position]))
  return positions
}

function matrixKeysInOrder(): string[] {
  const root = rootType()
  const { matrixKeys = [] } = root.kind === 'map' ? root : {}
  return [...matrixKeys.filter((key) => key !== 'env'), 'env']
}

export function supportsKey(key: string, platform: Platform): boolean {
  return supportOf(key)?.limits.every((limited) => isWithin(limited, platform)) ?? true
}

/** Keys that hold a map, unknown keys, and `false` are supported everywhere. */
export function supports(key: string, value: unknown, platform: Platform): boolean {
  const support = supportOf(key)
  if (!support || support.isMap || value === false) return true
  const limited = support.values.get(value)
  return (
    support.limits.every((limits) => isWithin(limits, platform)) &&
    (limited === undefined || isWithin(limited, platform))
  )
}

/** `only` needs one of several given values; `except` needs all of them. */
function isWithin(limits: Limited, { language, os }: Platform): boolean {
  return fits(limits, 'language', language) && fits(limits, 'os', os)
}

function fits(
  { only, except }: Limited,
  name: keyof Platform,
  values: readonly unknown[],
): boolean {
  if (values.length === 0) return true
  if (only?.[name] && !values.some((value) => includes(only[name], value))) return false
  return !(except?.[name] && values.every((value) => includes(except[name], value)))
}

function includes(values: readonly string[] | undefined, value: unknown): boolean {
  return (values as readonly unknown[] | undefined)?.includes(value) ?? false
}

const known = new Map<string, Support>()

function supportOf(key: string): Support | undefined {
  const support = known.get(key)
  if (support) return support
  const type = keysOfRoot()[key]
  if (!type) return undefined
  const read = readSupport(type)
  known.set(key, read)
  return read
}

/** Limits of a sequence's entries, and of a key's normal form, apply to the key. */
function readSupport(type: Type): Support {
  const limits = type.only || type.except ? [type] : []
  const inner = innerOf(type)
  if (inner) {
    const { limits: more, values } = readSupport(inner)
    return { isMap: false, limits: [...limits, ...more], values }
  }
  const entries = type.kind === 'str' ? (type.values ?? []) : []
  return {
    isMap: type.kind === 'map',
    limits,
    values: new Map(
      entries.filter(({ only, except }) => only ?? except).map((entry) => [entry.value, entry]),
    ),
  }
}

function innerOf(type: Type): Type | undefined {
  if (type.kind === 'seq') return type.of
  return type.kind === 'any'
    ? (type.of.find(({ preferred }) => preferred) ?? type.of[0])
    : undefined
}

function keysOfRoot(): Readonly<Record<string, Type>> {
  const root = rootType()
  return root.kind === 'map' ? root.keys : {}
}
