import { wrongParams } from '../../../domain/errors.ts'
import type { Call } from '../../core/endpoint.ts'
import type { Collection } from '../core/collection.ts'
import type { Shown } from '../core/presented.ts'
import { type AnyResource, type Representation, offeredRepresentations } from '../core/resource.ts'
import { type Include, readInclude } from './include.ts'
import type { Shape } from './included.ts'

interface Requested {
  resource: AnyResource
  shape: Shape
  include: Include
}

/** The shape that a call requests of an endpoint's records. Throws if there is no such representation. */
export function requestedOf(shown: Shown, { given }: Pick<Call, 'given'>): Requested {
  const include = readInclude(given.include)
  // On a single record the parameter has no effect.
  if ('resource' in shown) {
    const { resource, representation } = shown
    return { resource, shape: { representation }, include }
  }
  const { collection } = shown
  const representation = representationIn(collection, given.representation)
  const besides = representation === 'standard' ? (collection.besides ?? []) : []
  return {
    resource: collection.of,
    shape: { representation, besides },
    include: without(collection.type, include),
  }
}

function representationIn(
  { of, type, representation: usual = 'standard' }: Collection,
  given: unknown = '',
): Representation {
  if (given === '') return usual
  const representation = offeredRepresentations(of).find((name) => name === given)
  if (!representation) throw wrongParams(`${type} have no representation ${JSON.stringify(given)}`)
  return representation
}

/** In a list, records cannot include that list again. */
function without(name: string, include: Include): Include {
  return new Map(
    [...include].map(([type, attributes]) => [
      type,
      new Map([...attributes].filter(([attribute]) => attribute !== name)),
    ]),
  )
}
