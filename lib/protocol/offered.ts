/** Commands that are not built in: skills, prompt templates, what extensions and servers bring. They are run where the runtime is. */

/** Where a command comes from. */
export type OfferKind = 'skill' | 'template' | 'server' | 'extension';

/** One of them, as `/name args`. */
export interface OfferedCommand {
  /** Without the slash; letters, digits and `-_:` only. */
  readonly name: string;
  readonly kind: OfferKind;
  /** The arguments as help shows them; '' for none. */
  readonly args: string;
  readonly says: string;
  /** Who brings it: a path, the name of a server. */
  readonly from: string;
}
