// A shared object that is something else.

extern "C" int not_a_perflab_plugin() { return 1; }
