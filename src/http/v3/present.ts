import { json } from '../answer.ts'
import type { Call } from '../endpoint.ts'
import { hrefOf } from './href.ts'
import { readInclude } from './include.ts'
import { render } from './render.ts'
import type { Resource, View } from './resource.ts'
import { registry } from './resources/index.ts'
import { warningsFor } from './warnings.ts'

function viewOf({ ctx, viewer, query, request }: Call): View {
  return {
    ctx,
    viewer,
    href: (path) => hrefOf(ctx.site, request, path),
    include: readInclude(query.include),
  }
}

/** Presents one record in full, with a warning for each parameter that is not accepted here. */
export function as<T extends object>(resource: Resource<T>, accepted: readonly string[] = []) {
  return async (model: T, call: Call) => {
    const [shown] = await render(registry, viewOf(call), resource, [model])
    return json({ ...warningsFor(call, accepted), ...shown })
  }
}
