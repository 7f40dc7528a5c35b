// Another library under the driver's name.
extern "C" int something_else() { return 0; }
