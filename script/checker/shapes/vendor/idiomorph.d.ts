/** The part of idiomorph that the client uses. */
export const Idiomorph: {
  morph(
    element: Element,
    content: Node | Iterable<Node> | string,
    config?: {
      morphStyle?: "innerHTML" | "outerHTML";
      restoreFocus?: boolean;
      callbacks?: Record<string, (...nodes: Node[]) => boolean | void>;
    },
  ): Node[];
};
