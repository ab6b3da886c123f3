"""Words that stand where something is still to be said."""

OPEN = frozenset({
    "tbd", "tbc", "tba", "tbf", "todo", "fixme", "xx", "xxx", "xxxx", "tobedefined", "tobedone",
    "tobeconfirmed", "tobedecided", "tobeadded", "tobefilled", "tofill", "fillin", "placeholder",
    "tobenamed", "tobeasked", "lorem", "loremipsum", "dummy",
})  # fmt: skip
"""Words that never say anything, compared without case, blanks and punctuation."""
EVASIVE = frozenset({
    "na", "nn", "none", "no", "nil", "null", "unknown", "unclear", "notgiven", "notknown",
    "notyet", "notyetknown", "pending", "open", "seeabove", "seebelow", "above", "asabove",
    "ditto", "dito", "idem", "same", "various", "someone", "somebody", "anybody",
    "later", "soon", "asap", "email", "seeemail", "assumption", "assumed", "guess", "gutfeel",
    "gutfeeling", "chatgpt",
})  # fmt: skip
"""Words that are an answer elsewhere, and none to who answers for a figure or where it is from."""


def is_placeholder(text: str, evasive: bool = True) -> bool:
    """Whether a text says nothing: only marks, or a word such as TBD.

    >>> is_placeholder("T.B.D."), is_placeholder("?"), is_placeholder("see above")
    (True, True, True)
    >>> is_placeholder("n/a", evasive=False), is_placeholder("A. Owner")
    (False, False)
    """
    word = "".join(letter for letter in text.casefold() if letter.isalnum())
    if not word:
        return bool(text.strip()) and evasive
    # What begins as a filler text does goes on as one.
    is_open = word in OPEN or word.startswith("loremipsum")
    return is_open or (evasive and word in EVASIVE)
